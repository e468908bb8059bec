/** The code's message, within the GSM alphabet and one SMS: no letter here may be outside of it. */
export const codeText = (code: string, locale: 'fr' | 'en'): string =>
  locale === 'fr'
    ? `Loyer : votre code est ${code}. Il expire dans 10 minutes. Ne le partagez avec personne.`
    : `Loyer: your code is ${code}. It expires in 10 minutes. Do not share it with anyone.`
