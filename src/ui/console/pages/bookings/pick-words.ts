import { bilingual } from '../../../shared/words.svelte.ts'

const fr = {
  searchHint: 'Le numéro du logement ou le nom du bien.',
  nothing: 'Aucun logement ne porte ce nom',
  nothingHint: 'Essayez une partie du nom, ou montrez aussi les logements occupés.',
  noneFree: 'Aucun logement n’est libre',
  noneFreeHint: 'Ajoutez des logements à un bien, ou montrez ceux qui sont occupés.',
  toProperties: 'Voir les biens',
  noRent: 'loyer à fixer',
  all: 'Montrer aussi les logements occupés',
  state: {
    AVAILABLE: 'libre',
    RESERVED: 'réservé',
    OCCUPIED: 'loué',
    MAINTENANCE: 'en travaux',
    ARCHIVED: 'archivé',
  },
  pickTenant: 'Choisir parmi mes locataires',
  another: 'Quelqu’un d’autre',
}
const en: typeof fr = {
  searchHint: 'The label of the unit or the name of the property.',
  nothing: 'No unit has this name',
  nothingHint: 'Try a part of the name, or show units that are let too.',
  noneFree: 'No unit is vacant',
  noneFreeHint: 'Add units to a property, or show those that are let.',
  toProperties: 'See the properties',
  noRent: 'rent to be set',
  all: 'Show units that are let too',
  state: {
    AVAILABLE: 'vacant',
    RESERVED: 'reserved',
    OCCUPIED: 'let',
    MAINTENANCE: 'under repair',
    ARCHIVED: 'archived',
  },
  pickTenant: 'Choose among my tenants',
  another: 'Somebody else',
}
export const pickWords = bilingual(fr, en)
