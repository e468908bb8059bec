import { FOREIGN_FORMATS, type ForeignFormat } from '../../core/sheet-formats.ts'
import { type AppError, invalid } from '../../errors.ts'

const refuse = (en: string, fr: string): AppError => invalid('/file', en, fr)

/** The messages that refuse a file of rows; where possible they say what to do. */
export const broken = () =>
  refuse('This is no CSV or XLSX file, or it is damaged.', 'Ce n’est pas un fichier CSV ou XLSX, ou il est abîmé.')
export const foreign = (format: ForeignFormat) => refuse(FOREIGN_FORMATS[format].en, FOREIGN_FORMATS[format].fr)
export const unknownEncoding = () =>
  refuse(
    'The characters of this file cannot be read. Save it as "CSV UTF-8" and try again.',
    'Les caractères de ce fichier sont illisibles. Enregistrez-le au format « CSV UTF-8 » et réessayez.',
  )
export const unpacksTooMuch = () =>
  refuse('The file unpacks to too much.', 'Le fichier décompressé est trop volumineux.')
export const tooManyRows = (rows: number) =>
  refuse(
    `The file has more than ${rows} rows. Divide it and bring in one part after the other.`,
    `Le fichier a plus de ${rows} lignes. Divisez-le et importez-le en plusieurs parties.`,
  )
export const tooManyColumns = (columns: number) =>
  refuse(
    `A row has more than ${columns} columns. Keep only those of the template.`,
    `Une ligne a plus de ${columns} colonnes. Ne gardez que celles du modèle.`,
  )
export const tooManyCells = (cells: number) =>
  refuse(
    `More than ${cells} cells are filled in. Divide the file and bring in one part after the other.`,
    `Plus de ${cells} cellules sont remplies. Divisez le fichier et importez-le en plusieurs parties.`,
  )
export const tooManyCharacters = (characters: number) =>
  refuse(
    `The cells have more than ${characters} characters together. Divide the file and bring in one part after the other.`,
    `Les cellules ont plus de ${characters} caractères en tout. Divisez le fichier et importez-le en plusieurs parties.`,
  )
export const longCell = (characters: number) =>
  refuse(
    `A cell has more than ${characters} characters. Shorten it; if it should not be that long, a quotation mark may be missing.`,
    `Une cellule a plus de ${characters} caractères. Raccourcissez-la ; sinon, un guillemet manque peut-être.`,
  )
export const beyond = (cell: string, rows: number, columns: number) =>
  refuse(
    `The sheet reaches to cell ${cell}: at most ${rows} rows and ${columns} columns are read. Copy the table alone into a new sheet, or divide it.`,
    `La feuille va jusqu’à la cellule ${cell} : au plus ${rows} lignes et ${columns} colonnes sont lues. Copiez le tableau seul dans une nouvelle feuille, ou divisez-le.`,
  )
