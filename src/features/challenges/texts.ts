/** The code's message, within the GSM alphabet and one SMS: no letter here may be outside of it. `paper`: what it signs. */
export const codeText = (code: string, locale: 'fr' | 'en', paper?: string): string =>
  locale === 'fr'
    ? `Loyer : votre code${paper ? ` pour signer le bail ${paper}` : ''} est ${code}. Il expire dans 10 minutes. Ne le partagez avec personne.`
    : `Loyer: your code${paper ? ` to sign lease ${paper}` : ''} is ${code}. It expires in 10 minutes. Do not share it with anyone.`
