import { HOME_COUNTRY } from '../../../core/countries/countries.ts'
import { type Country, type Rule, valueOn } from '../../../core/countries/country.ts'
import { formatDay } from '../../../core/dates.ts'
import { numberInWords } from '../../../core/numbers-in-words.ts'

/** One clause in both languages, with placeholders, **bold** and lists ("- " at the start of a line). */
export type Clause = {
  readonly title_fr: string
  readonly body_fr: string
  readonly title_en: string
  readonly body_en: string
}
const clause = (title_fr: string, body_fr: string, title_en: string, body_en: string): Clause => ({
  title_fr,
  body_fr,
  title_en,
  body_en,
})

const parties = clause(
  'Parties',
  'Le bailleur, son mandataire s’il en a un, et le locataire sont désignés en tête du présent contrat. Chacun certifie l’exactitude de son identité, de son adresse et de son numéro de téléphone, et informe l’autre de tout changement sans délai. Un mandataire justifie de son mandat à première demande.',
  'Parties',
  'The landlord, the landlord’s agent if any, and the tenant are named at the head of this agreement. Each certifies that their identity, address and telephone number are accurate, and tells the other of any change without delay. An agent shows their mandate on first request.',
)
const premises = clause(
  'Objet et désignation des lieux',
  'Le bailleur donne à bail au locataire, qui accepte, les lieux désignés **{{unit}}, {{property}}**, situés {{address}}, {{city}} (région : {{region}} ; surface : {{area}}). Les annexes, équipements et compteurs (électricité, eau) sont décrits à l’état des lieux, qui fait partie du bail. Le locataire déclare connaître les lieux pour les avoir visités.',
  'Premises',
  'The landlord lets to the tenant, who accepts, the premises known as **{{unit}}, {{property}}**, at {{address}}, {{city}} (region: {{region}}; area: {{area}}). Annexes, equipment and meters (power, water) are described in the inventory, which is part of the lease. The tenant declares that they know the premises from having visited them.',
)
const term = clause(
  'Durée et prise d’effet',
  'Le bail prend effet le **{{startDate}}** et court {{term}}. Les clés sont remises à la prise d’effet, contre signature de l’état des lieux et paiement des sommes exigibles à cette date.',
  'Term',
  'The lease takes effect on **{{startDate}}** and runs {{term}}. The keys are handed over on that day, against signature of the inventory and payment of the sums then due.',
)
const rent = clause(
  'Loyer',
  'Le loyer mensuel, détaillé aux conditions particulières, est de **{{rentGross}}**, payable d’avance {{dueDay}}, par période mensuelle qui commence au quantième de la prise d’effet. La dernière période, si elle est incomplète, est due au prorata des jours.',
  'Rent',
  'The monthly rent, set out in the special conditions, is **{{rentGross}}**, payable in advance {{dueDay}}, by monthly periods that begin on the day of the month on which the lease took effect. A last period that is not whole is due in proportion to its days.',
)
const charges = clause(
  'Charges et consommations',
  'Le locataire règle directement ses abonnements et consommations d’électricité et d’eau, ou les rembourse au bailleur d’après les relevés du compteur ou du sous-compteur des lieux, sur facture détaillée. Les autres charges (gardiennage, ordures, entretien des parties communes) ne sont dues que si elles figurent sur une facture qui les désigne. **Forfait de charges : non convenu.**',
  'Charges and utilities',
  'The tenant pays their own power and water subscriptions and consumption directly, or refunds them to the landlord by the readings of the meter or sub-meter of the premises, on an itemized invoice. Other charges (security guard, waste, upkeep of common parts) are due only where they stand on an invoice that names them. **Flat charge: not agreed.**',
)
const payment = clause(
  'Modalités de paiement',
  'Le loyer se paie par mobile money, virement, chèque ou espèces, aux coordonnées que le bailleur communique par écrit, en rappelant le numéro de la facture. Le paiement est libératoire à la date où le bailleur reçoit les fonds. **Le bailleur remet une quittance pour toute période entièrement payée et un reçu pour tout paiement partiel.**',
  'Payment',
  'Rent is paid by mobile money, transfer, cheque or cash, to the details that the landlord gives in writing, quoting the invoice number. A payment discharges the tenant on the day on which the landlord receives the money. **The landlord gives a receipt in full for each period wholly paid, and a receipt for each part payment.**',
)
const advance = clause(
  'Avance de loyer',
  'Montant de l’avance : non convenu, sauf écrit séparé. Toute somme versée d’avance est du loyer et non une garantie : elle s’impute sur les périodes à venir dans leur ordre, indiquées sur le reçu. Ce qui dépasse la fin du bail est rendu au locataire, déduction faite de ce qu’il doit.',
  'Advance rent',
  'Amount of advance: not agreed, unless separately in writing. Any sum paid in advance is rent and not a security: it goes to the coming periods in their order, as named on the receipt. What lies beyond the end of the lease is given back to the tenant, less what they owe.',
)
const deposit = clause(
  'Dépôt de garantie (caution)',
  'Dépôt de garantie : **{{deposit}}** ({{depositInWords}}). Il ne constitue pas un loyer et ne peut servir à payer les derniers mois. Le bailleur peut en déduire, sur justificatifs :\n- les loyers et charges impayés ;\n- la remise en état des dégradations constatées à la sortie, hors usure normale ;\n- les clés et équipements manquants.\nLe solde est rendu après l’état des lieux de sortie et la remise des clés ; délai et mode de restitution : non convenu, sauf écrit séparé.',
  'Security deposit',
  'Security deposit: **{{deposit}}** ({{depositInWords}}). It is not rent and cannot be used to pay the last months. The landlord may deduct from it, against proof:\n- unpaid rent and charges;\n- the repair of damage found at the check-out, fair wear and tear excepted;\n- missing keys and equipment.\nThe rest is returned after the check-out inventory and the return of the keys; time and means of the return: not agreed, unless separately in writing.',
)
const inventory = clause(
  'État des lieux',
  'Un état des lieux est dressé et signé par les deux parties à l’entrée et à la sortie ; des photographies datées peuvent y être annexées. À défaut d’état des lieux d’entrée, les lieux sont présumés remis en bon état, sauf preuve contraire.',
  'Inventory',
  'An inventory is drawn up and signed by both parties at check-in and at check-out; dated photographs may be annexed. Without a check-in inventory the premises are presumed to have been handed over in good condition, unless the contrary is proved.',
)
const repairs = clause(
  'Entretien et réparations',
  'Le locataire use des lieux raisonnablement, assure l’entretien courant et les menues réparations que l’usage met à sa charge. Le bailleur assure le clos, le couvert et les grosses réparations. Le locataire signale sans délai tout désordre ; il répond de l’aggravation due à son silence.',
  'Upkeep and repairs',
  'The tenant uses the premises with reasonable care and sees to everyday upkeep and the minor repairs that custom lays on tenants. The landlord sees to structure, roof and major repairs. The tenant reports any defect without delay, and answers for what their silence makes worse.',
)
const alterations = clause(
  'Travaux et aménagements',
  'Aucune transformation n’est faite sans l’accord écrit du bailleur. Faute d’accord contraire, les aménagements fixes restent au bailleur en fin de bail, sans indemnité, ou sont enlevés aux frais du locataire si leur réalisation n’a pas été autorisée.',
  'Alterations',
  'No alteration is made without the landlord’s written consent. Unless agreed otherwise, fixed improvements stay with the landlord at the end of the lease without compensation, or are removed at the tenant’s cost where they were not authorized.',
)
const access = clause(
  'Accès du bailleur',
  'Le bailleur visite les lieux après avoir prévenu le locataire et convenu avec lui d’un moment raisonnable. L’urgence (fuite, incendie, danger) dispense d’avis. Pendant le préavis, le locataire laisse visiter les lieux aux candidats.',
  'Landlord’s access',
  'The landlord visits the premises after telling the tenant and agreeing a reasonable time with them. An emergency (leak, fire, danger) needs no notice. During the notice period the tenant lets candidates view the premises.',
)
const insurance = clause(
  'Assurance',
  'Le bailleur assure l’immeuble s’il l’estime utile. Il est recommandé au locataire d’assurer ses meubles, son activité et les risques dont il répond. Obligation particulière d’assurance : non convenu.',
  'Insurance',
  'The landlord insures the building as they see fit. The tenant is advised to insure their belongings, their activity and the risks they answer for. Particular duty to insure: not agreed.',
)
const handBack = clause(
  'Restitution des lieux',
  'À la fin du bail, le locataire rend les lieux libres, propres et réparés de ce qui lui incombe, remet toutes les clés et fait relever les compteurs. Le bailleur établit un décompte : loyers dus ou trop versés, charges, dépôt de garantie.',
  'Hand-back',
  'At the end of the lease the tenant returns the premises empty, clean and repaired as far as repairs fall to them, hands back all keys and has the meters read. The landlord draws up a statement: rent owed or overpaid, charges, deposit.',
)
const data = clause(
  'Données personnelles',
  'Les données des parties (identité, coordonnées, contrat, paiements) sont traitées par le bailleur ou son mandataire pour conclure et exécuter le bail et satisfaire à ses obligations légales, puis conservées le temps que la loi impose. Chacun peut y accéder, les faire rectifier et, hors obligation de conservation, effacer. Elles ne sont pas cédées.',
  'Personal data',
  'The parties’ data (identity, contact details, contract, payments) are processed by the landlord or their agent to conclude and perform the lease and to meet legal duties, then kept as long as the law requires. Each party may see them, have them corrected and, unless they must be kept, erased. They are not passed on for gain.',
)
const electronic = clause(
  'Communications électroniques et signature',
  'Les parties acceptent de recevoir factures, quittances, rappels et avis aux numéros inscrits en tête du contrat ({{landlordPhone}} ; {{tenantPhone}}). L’accord donné par un code à usage unique envoyé à ces numéros vaut **accord électronique**, dont la preuve est annexée ; il ne s’agit pas d’une signature électronique qualifiée, et chaque partie peut demander un exemplaire signé sur papier. Le contrat et ses pièces restent consultables et téléchargeables par les deux parties.',
  'Electronic notices and signature',
  'The parties accept invoices, receipts, reminders and notices at the numbers at the head of this agreement ({{landlordPhone}}; {{tenantPhone}}). Consent given by a one-time code sent to these numbers is an **electronic agreement**, whose evidence is annexed; it is not a qualified electronic signature, and either party may ask for a copy signed on paper. Both parties can read and download the agreement and its papers at any time.',
)
const disputes = (country: Country): Clause =>
  clause(
    'Élection de domicile, droit applicable et litiges',
    `Pour l’exécution du bail, le bailleur élit domicile à son adresse et le locataire dans les lieux loués. ${country.law.fr} s’applique. Les parties recherchent d’abord un accord amiable ; à défaut, le tribunal compétent du lieu de situation de l’immeuble est saisi. **Seule une décision de justice permet d’expulser.**`,
    'Address for service, law and disputes',
    `For the performance of the lease the landlord’s address for service is their own and the tenant’s is the premises. ${country.law.en} applies. The parties first seek an amicable settlement; failing that, the competent court of the place of the premises decides. **Only a court may order eviction.**`,
  )
const language = clause(
  'Langue',
  'Le bail est établi en français. Une version anglaise peut être remise pour information ; en cas de divergence, la version signée prévaut.',
  'Language',
  'The lease is drawn up in English. A French version may be handed over for information; where they differ, the version that was signed prevails.',
)
const annexes = clause(
  'Annexes, originaux et signatures',
  'Sont annexés l’état des lieux et, le cas échéant, le règlement intérieur et la preuve de l’accord électronique. Sur papier, le bail est établi en autant d’originaux que de parties, et un de plus pour l’enregistrement ; chaque page est paraphée, et la signature précédée de la mention « Lu et approuvé ».',
  'Annexes, originals and signatures',
  'The inventory is annexed and, where there are any, the house rules and the evidence of the electronic agreement. On paper the lease is made in as many originals as there are parties, and one more for registration; each page is initialled, and the signature preceded by the words “Read and approved”.',
)

const home = (country: Country): readonly Clause[] => [
  parties,
  premises,
  clause(
    'Destination',
    'Les lieux sont loués à usage exclusif d’**habitation** du locataire et de sa famille. Tout autre usage, même partiel, suppose l’accord écrit du bailleur.',
    'Permitted use',
    'The premises are let solely as a **home** for the tenant and their family. Any other use, even in part, needs the landlord’s written consent.',
  ),
  term,
  rent,
  charges,
  payment,
  advance,
  deposit,
  inventory,
  repairs,
  alterations,
  clause(
    'Jouissance paisible et règlement intérieur',
    'Le bailleur assure au locataire la jouissance paisible des lieux. Le locataire respecte le voisinage et les parties communes, évite le bruit de nuit, et se conforme au règlement intérieur lorsqu’il lui a été remis. Animaux et stationnement : selon ce règlement ; à défaut, non convenu.',
    'Quiet enjoyment and house rules',
    'The landlord ensures that the tenant has quiet enjoyment of the premises. The tenant respects neighbours and common parts, avoids noise at night, and keeps the house rules where they were handed over. Pets and parking: by those rules; otherwise not agreed.',
  ),
  access,
  clause(
    'Cession et sous-location',
    'Le locataire ne cède pas le bail et ne sous-loue pas, en tout ou partie, sans l’accord écrit du bailleur.',
    'Assignment and subletting',
    'The tenant neither assigns the lease nor sublets, in whole or in part, without the landlord’s written consent.',
  ),
  insurance,
  clause(
    'Révision du loyer',
    'Clause de révision : non convenu. Le loyer est fixe pendant la durée du bail ; il ne change que par un avenant signé des deux parties.',
    'Rent review',
    'Review clause: not agreed. The rent is fixed for the term; it changes only by an amendment signed by both parties.',
  ),
  clause('Renouvellement', 'Le bail {{renewal}}.', 'Renewal', 'The lease {{renewal}}.'),
  clause(
    'Congé et préavis',
    'Chaque partie peut donner congé. Préavis : **{{notice}}** ; à défaut de convention, l’usage des lieux s’applique. Le congé est donné par écrit dont la réception peut être prouvée : lettre remise contre décharge, exploit d’huissier, ou message aux numéros convenus dont l’autre partie accuse réception.',
    'Notice to quit',
    'Either party may end the lease by notice. Length of notice: **{{notice}}**; failing agreement, local custom applies. Notice is given in writing whose receipt can be proved: a letter against acknowledgement, service by a bailiff, or a message to the agreed numbers that the other party acknowledges.',
  ),
  clause(
    'Retard et clause résolutoire',
    'À défaut de paiement à l’échéance, le bailleur rappelle, puis met le locataire en demeure par écrit. Si la mise en demeure reste sans effet, ou en cas de manquement grave, chaque partie peut demander en justice la résiliation du bail. Délai de grâce : non convenu. Pénalité de retard : non convenu.',
    'Late payment and breach',
    'Where rent is not paid when due, the landlord sends a reminder, then a formal demand in writing. If the demand has no effect, or in case of serious breach, either party may ask the court to end the lease. Days of grace: not agreed. Penalty for late payment: not agreed.',
  ),
  handBack,
  clause(
    'Enregistrement et impôts',
    'Le bail est soumis à la formalité de l’enregistrement dans les délais légaux. Partie qui supporte les droits : non convenu, sauf écrit séparé. La taxe foncière reste à la charge du bailleur.',
    'Registration and taxes',
    'The lease is subject to registration within the legal time. Party bearing the duty: not agreed, unless separately in writing. Property tax remains the landlord’s.',
  ),
  data,
  electronic,
  disputes(country),
  language,
  annexes,
]

/** A rule of the law as clauses cite it: `AUDCG, art. 125`, and its time in words. */
function citing(country: Country) {
  const row = (rule: Rule) => valueOn(country, rule, '')
  const cite = (rule: Rule): string => {
    const source = row(rule)?.source
    return `${source?.short}, art. ${source?.article}`
  }
  const NOUNS = { MONTHS: ['month', 'mois', 'mois'], YEARS: ['year', 'an', 'ans'] } as const
  const time = (rule: Rule, locale: 'fr' | 'en'): string => {
    const { value, unit } = {
      value: row(rule)?.value ?? 0,
      unit: row(rule)?.unit === 'YEARS' ? 'YEARS' : 'MONTHS',
    } as const
    const [en, one, many] = NOUNS[unit]
    const noun = locale === 'en' ? `${en}${value === 1 ? '' : 's'}` : value === 1 ? one : many
    return `${numberInWords(value, locale)} ${noun}`
  }
  const article = (rule: Rule): string => `art. ${row(rule)?.source?.article}`
  return { cite, time, article }
}
type Citing = ReturnType<typeof citing>

const replaced = (
  { cite, time, article }: Citing,
  { taxpayer, company }: Country['taxNumbers'],
): Readonly<Record<string, Clause>> => ({
  Destination: clause(
    'Destination et activité',
    'Les lieux sont loués à **usage professionnel**. Activité exercée : **{{trade}}**. Le locataire ne change pas d’activité sans l’accord écrit du bailleur, obtient les autorisations qu’elle exige et pose ses enseignes dans le respect des règlements.',
    'Permitted use and trade',
    'The premises are let for **business use**. Trade carried on: **{{trade}}**. The tenant does not change their trade without the landlord’s written consent, obtains the permits it needs and puts up signs as the regulations allow.',
  ),
  'Cession et sous-location': clause(
    'Fonds de commerce, cession et sous-location',
    'Le fonds de commerce que crée le locataire lui appartient. La cession du bail est portée à la connaissance du bailleur par écrit, dans les conditions de l’Acte uniforme OHADA relatif au droit commercial général (AUDCG). La sous-location suppose l’accord écrit du bailleur.',
    'Goodwill, assignment and subletting',
    'The goodwill that the tenant builds up is theirs. An assignment of the lease is brought to the landlord’s knowledge in writing, under the conditions of the OHADA Uniform Act on General Commercial Law (AUDCG). Subletting needs the landlord’s written consent.',
  ),
  'Révision du loyer': clause(
    'Révision du loyer',
    'Formule de révision : **{{review}}**. Hors cette clause, le loyer ne change que par accord écrit, et jamais pour une période commencée sans l’accord du locataire. Faute d’accord, le loyer est fixé et révisé dans les conditions de l’AUDCG.',
    'Rent review',
    'Formula of review: **{{review}}**. Apart from this clause the rent changes only by written agreement, and never for a period that has begun without the tenant’s agreement. Failing agreement, rent is set and reviewed under the AUDCG.',
  ),
  Renouvellement: clause(
    'Renouvellement et indemnité d’éviction',
    `Le locataire qui a exploité l’activité prévue pendant au moins **${time('RENEWAL_BUSINESS', 'fr')}** a droit au renouvellement (${cite('RENEWAL_BUSINESS')}). D’un bail à durée déterminée, il le demande par acte d’huissier ou tout moyen qui en établit la réception, au plus tard **${time('NOTICE_BUSINESS_FIXED', 'fr')}** avant le terme (${article('NOTICE_BUSINESS_FIXED')}). Le bailleur qui refuse sans motif reconnu par la loi doit une indemnité d’éviction. Sous cette réserve, le bail {{renewal}}.`,
    'Renewal and eviction indemnity',
    `A tenant who has carried on the agreed trade for at least **${time('RENEWAL_BUSINESS', 'en')}** has a right to renewal (${cite('RENEWAL_BUSINESS')}). For a fixed term they ask for it by bailiff or any means that proves receipt, at the latest **${time('NOTICE_BUSINESS_FIXED', 'en')}** before the term (${article('NOTICE_BUSINESS_FIXED')}). A landlord who refuses without a ground that the law admits owes an eviction indemnity. Subject to this, the lease {{renewal}}.`,
  ),
  'Congé et préavis': clause(
    'Congé et préavis',
    `Préavis convenu : **{{notice}}**. Le bail sans terme fixé prend fin par congé donné au moins **${time('NOTICE_BUSINESS_OPEN', 'fr')}** d’avance (${cite('NOTICE_BUSINESS_OPEN')}), par acte d’huissier ou tout moyen qui en établit la réception.`,
    'Notice to quit',
    `Notice agreed: **{{notice}}**. A lease without fixed end is ended by notice of at least **${time('NOTICE_BUSINESS_OPEN', 'en')}** (${cite('NOTICE_BUSINESS_OPEN')}), by bailiff or any means that proves receipt.`,
  ),
  'Retard et clause résolutoire': clause(
    'Retard et résiliation',
    `À défaut de paiement ou d’exécution, la partie lésée adresse une mise en demeure d’avoir à se conformer dans un délai d’**${time('FORMAL_NOTICE_BUSINESS', 'fr')}** au moins, puis peut demander la résiliation à la juridiction compétente (${cite('FORMAL_NOTICE_BUSINESS')}). Délai de grâce : non convenu. Pénalité de retard : non convenu.`,
    'Late payment and termination',
    `Where rent is unpaid or a duty not performed, the injured party sends a formal demand giving at least **${time('FORMAL_NOTICE_BUSINESS', 'en')}** to comply, and may then ask the competent court to end the lease (${cite('FORMAL_NOTICE_BUSINESS')}). Days of grace: not agreed. Penalty for late payment: not agreed.`,
  ),
  'Enregistrement et impôts': clause(
    'Enregistrement, TVA et précompte',
    `Le bail est soumis à l’enregistrement dans les délais légaux ; partie qui supporte les droits : non convenu, sauf écrit séparé. TVA : {{tva}}. Lorsque la loi oblige le locataire à retenir un précompte sur le loyer, il le verse à l’État et en remet l’attestation au bailleur ; la somme retenue vaut alors paiement. La taxe foncière reste à la charge du bailleur. Le locataire justifie de son ${taxpayer} et de son inscription au ${company} s’il y est tenu.`,
    'Registration, VAT and withholding',
    `The lease is subject to registration within the legal time; party bearing the duty: not agreed, unless separately in writing. VAT (TVA): {{tva}}. Where the law requires the tenant to withhold tax on rent, they pay it to the State and hand the certificate to the landlord; the sum withheld then counts as payment. Property tax remains the landlord’s. The tenant shows their ${taxpayer} and, where required, their ${company} registration.`,
  ),
})
const sale = clause(
  'Vente de l’immeuble',
  'La vente de l’immeuble ne met pas fin au bail : il se poursuit avec le nouveau propriétaire, substitué au bailleur.',
  'Sale of the building',
  'The sale of the building does not end the lease: it goes on with the new owner in the landlord’s place.',
)
/** The clauses that come with the program, under the law of a country. */
export function clausesIn(country: Country): Readonly<Record<'HOME' | 'BUSINESS', readonly Clause[]>> {
  const HOME = home(country)
  const own = replaced(citing(country), country.taxNumbers)
  return { HOME, BUSINESS: HOME.flatMap((c) => (c === handBack ? [sale, c] : [own[c.title_fr] ?? c])) }
}
export const { HOME, BUSINESS } = clausesIn(HOME_COUNTRY)

const sample = (landlord: string, agent: string, tenant: string, propertyName: string, addressLine: string) => ({
  landlord: { name: landlord, phoneNumber: '+237600000001' },
  agent: { name: agent, address: 'BP 0000 Douala', niu: 'M000000000000A' },
  tenant: { name: tenant, phoneNumber: '+237600000002', address: 'BP 0000 Douala' },
  premises: { propertyName, unitLabel: 'A1', type: 'APARTMENT', addressLine, city: 'Douala', province: 'Littoral' },
})
/** What placeholders become. */
export const WORDS = {
  fr: {
    notAgreed: 'non convenu',
    notGiven: 'non renseigné',
    exempt: 'exonérée',
    noTva: 'non applicable',
    openEnded: 'sans terme fixé',
    until: (date: string) => `jusqu’au ${date} inclus`,
    renews: 'se poursuit, à son terme, de mois en mois et aux mêmes conditions, sauf congé',
    renewsNot: 'prend fin à son terme, sans se poursuivre de lui-même',
    endless: 'n’a pas de terme et dure jusqu’au congé de l’une des parties',
    dueDay: (n: number) => `${formatDay(n, 'fr')} de chaque mois`,
    dueDefault: 'dans les cinq jours du début de chaque période',
    months: (n: number) => (n === 0 ? 'aucun' : `${n} mois`),
    review: (formula: string, day: string) => `${formula}, à partir du ${day}`,
    sample: sample('Modèle Bailleur', 'Agence Modèle', 'Modèle Locataire', 'Résidence Modèle', 'Rue Modèle'),
  },
  en: {
    notAgreed: 'not agreed',
    notGiven: 'not given',
    exempt: 'exempt',
    noTva: 'not applicable',
    openEnded: 'without a fixed end',
    until: (date: string) => `until ${date} inclusive`,
    renews: 'goes on, at its term, from month to month on the same conditions, unless notice is given',
    renewsNot: 'ends at its term and does not go on by itself',
    endless: 'has no fixed end and lasts until either party gives notice',
    dueDay: (n: number) => `on ${formatDay(n, 'en')} of each month`,
    dueDefault: 'within five days of the start of each period',
    months: (n: number) => (n === 0 ? 'none' : n === 1 ? '1 month' : `${n} months`),
    review: (formula: string, day: string) => `${formula}, from ${day}`,
    sample: sample('Sample Landlord', 'Sample Agency', 'Sample Tenant', 'Sample House', 'Sample Street'),
  },
} as const
