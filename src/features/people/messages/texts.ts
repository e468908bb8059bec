/** Why no code is sent where the operator has named no vendor. */
export const NO_VENDOR = {
  en: 'No code can be sent from here yet. The operator of this service must set up messaging first.',
  fr: 'Aucun code ne peut partir d’ici pour l’instant\u00a0: l’exploitant du service doit d’abord configurer l’envoi des messages.',
}
