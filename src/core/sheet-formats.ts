// Files that people send in place of a CSV or XLSX file, and what helps.
type Said = { readonly en: string; readonly fr: string }
export const FOREIGN_FORMATS = {
  PROTECTED: {
    en: 'This file is protected by a password. Open it in Excel, take the password off (File, Info, Protect Workbook), save it and choose it again.',
    fr: 'Ce fichier est protégé par un mot de passe. Ouvrez-le dans Excel, retirez le mot de passe (Fichier, Informations, Protéger le classeur), enregistrez-le et choisissez-le de nouveau.',
  },
  XLS: {
    en: 'This is the old Excel format (.xls). Open it in Excel or LibreOffice, save it as “Excel workbook (.xlsx)” and choose that file.',
    fr: 'C’est l’ancien format d’Excel (.xls). Ouvrez-le dans Excel ou LibreOffice, enregistrez-le comme «\u00a0Classeur Excel (.xlsx)\u00a0» et choisissez ce fichier.',
  },
  ODS: {
    en: 'This is an OpenDocument file (.ods). Open it in LibreOffice or Excel, save it as “Excel workbook (.xlsx)” and choose that file.',
    fr: 'C’est un fichier OpenDocument (.ods). Ouvrez-le dans LibreOffice ou Excel, enregistrez-le comme «\u00a0Classeur Excel (.xlsx)\u00a0» et choisissez ce fichier.',
  },
  PICTURE: {
    en: 'This is a picture or a PDF, which holds no rows. Choose the spreadsheet it was made from, or copy its rows and paste them.',
    fr: 'C’est une image ou un PDF, qui ne contient pas de lignes. Choisissez le tableau d’origine, ou copiez ses lignes et collez-les.',
  },
  WEB: {
    en: 'This file is a web page or XML, whatever its name says. Open it in Excel or LibreOffice, save it as “Excel workbook (.xlsx)” and choose that file.',
    fr: 'Ce fichier est une page web ou du XML, quel que soit son nom. Ouvrez-le dans Excel ou LibreOffice, enregistrez-le comme «\u00a0Classeur Excel (.xlsx)\u00a0» et choisissez ce fichier.',
  },
} as const satisfies Readonly<Record<string, Said>>
export type ForeignFormat = keyof typeof FOREIGN_FORMATS

const begins = (bytes: Uint8Array, signature: readonly number[], at = 0): boolean =>
  signature.every((byte, i) => bytes[at + i] === byte)
const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const PICTURES = [
  [0x25, 0x50, 0x44, 0x46],
  [0xff, 0xd8, 0xff],
  [0x89, 0x50, 0x4e, 0x47],
]

/** The format of a file that is neither CSV nor XLSX but is often taken for one. */
export function foreignFormat(bytes: Uint8Array): ForeignFormat | undefined {
  // A workbook with a password lies encrypted in the container of the old format.
  if (begins(bytes, OLE))
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('EncryptedPackage', 0, 'utf16le')
      ? 'PROTECTED'
      : 'XLS'
  if (PICTURES.some((signature) => begins(bytes, signature))) return 'PICTURE'
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  if (start.startsWith('PK') && start.includes('application/vnd.oasis.opendocument')) return 'ODS'
  return /^(?:\u00ef\u00bb\u00bf)?\s*<(?:\?xml|!doctype|html|table|meta|head)\b/i.test(start) ? 'WEB' : undefined
}
