import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  title: 'Archives du journal',
  lead: 'Les lignes anciennes, rangées dans des fichiers signés que vous gardez ailleurs.',
  before: 'Lignes avant le',
  until: (day: string) => `Lignes avant le ${day}`,
  entries: 'Lignes',
  count: (n: number, text: string) => `${text}\u00a0${n > 1 ? 'lignes' : 'ligne'}`,
  when: 'Archivé le',
  check: 'SHA-256',
  none: 'Rien n’est archivé',
  noneHint: 'Le journal garde tout tant que vous n’archivez rien. Cela devient utile après quelques années.',
  makeHint: 'Les lignes quittent le journal quelques minutes après. Rien n’est perdu : le fichier les contient toutes.',
  beforeLabel: 'Lignes avant le',
  beforeHint:
    'Le jour proposé est le plus récent possible : la dernière année reste dans le journal. Choisissez-en un plus ancien pour y garder davantage.',
  made: (n: string) => `${n}\u00a0lignes archivées. Téléchargez le fichier et gardez-le ailleurs.`,
}
const en: typeof fr = {
  title: 'Archives of the trail',
  lead: 'Old entries in signed files that you keep elsewhere.',
  before: 'Entries before',
  until: (day) => `Entries before ${day}`,
  entries: 'Entries',
  count: (n, text) => `${text} ${n === 1 ? 'entry' : 'entries'}`,
  when: 'Archived on',
  check: 'SHA-256',
  none: 'Nothing is archived',
  noneHint: 'The trail keeps everything as long as you archive nothing. It is of use after some years.',
  makeHint: 'The entries leave the trail some minutes later. Nothing is lost: the file holds them all.',
  beforeLabel: 'Entries before',
  beforeHint:
    'The day given is the latest possible: the last year stays in the trail. Choose an earlier one to keep more there.',
  made: (n) => `${n} entries archived. Download the file and keep it elsewhere.`,
}
export const archiveWords = bilingual(fr, en)
