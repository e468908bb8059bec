// Counts down to when a code can be sent again; without it the page says the seconds as they were when it opened.
const wait = document.querySelector('[data-wait]')
const buttons = wait?.closest('form').querySelectorAll('button') ?? []
const until = Date.now() + Number(wait?.dataset.wait) * 1000
function tick() {
  const left = Math.ceil((until - Date.now()) / 1000)
  for (const button of buttons) button.disabled = left > 0
  if (left > 0) {
    wait.querySelector('b').textContent = String(left)
    setTimeout(tick, 1000)
  } else wait.textContent = wait.dataset.ready
}
if (wait) tick()
