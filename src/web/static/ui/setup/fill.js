// The link's token stands behind the #, which is never sent: without this script the person pastes it into the field.
const field = document.querySelector('#token')
const token = location.hash.slice(1) || (field?.value ?? '')
if (field && token) {
  field.value = token
  field.closest('.paste').hidden = true
  for (const link of document.querySelectorAll('footer a')) link.hash = token
}
