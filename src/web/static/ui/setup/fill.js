// The link's token stands behind the #, which is never sent: without this script the person pastes it into the field.
const field = document.querySelector('#token')
const token = location.hash.slice(1) || (field?.value ?? '')
if (field && token) {
  field.value = token
  field.closest('.paste').hidden = true
  for (const link of document.querySelectorAll('footer a')) link.hash = token
}

// A second press of the button would answer that the server is set up already, and hide the answer of the first one.
const form = field?.form
let isSent = false
form?.addEventListener('submit', (event) => {
  if (isSent) event.preventDefault()
  isSent = true
})
addEventListener('pageshow', () => {
  isSent = false
})
