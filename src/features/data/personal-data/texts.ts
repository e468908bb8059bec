/** The README of an export, in both languages. */
export const ABOUT = `Vos données chez Loyer

Chaque fichier .json est une liste : profil, consentements, sessions, fiche de locataire, baux, factures, parts de charges (quantités des compteurs en millièmes), baux où vous êtes colocataire ou caution, paiements, réparations demandées et vos messages, biens, dépenses de ces biens et celles que vous avez notées, versements reçus,
documents (les papiers eux-mêmes sont dans « papers »), vérifications, fichiers déposés (dans « files »), messages gardés, journal de ce que vous avez fait
et de ce qui a été fait à votre sujet. Les messages envoyés ne sont pas conservés, sauf dans un bac à sable. Le journal ne garde
que l’empreinte de ce qui a changé. Le mot de passe n’est conservé que sous forme d’empreinte et n’est pas ici.


Your data at Loyer

Each .json file is a list: profile, consents, sessions, tenant record, leases, invoices, shares of charges (what meters counted in thousandths), leases in which you are co-tenant or guarantor, payments, repairs asked for and your messages, properties, their expenses and those you recorded, transfers to you, documents (the papers
themselves are in "papers"), verifications, uploaded files (in "files"), messages kept, the record of what you did and of what was done about you.
Messages sent are not kept, but in a sandbox. The record keeps digests of what changed only. The password is kept as a digest
only and is not here.
`

/** Replaces the name of an erased person. */
export const FORGOTTEN = { fr: 'Personne effacée', en: 'Erased person' } as const
