// The details that papers print about an owner: as a form holds them and as they are sent.
import type { Schemas } from '../../shared/api.ts'
import { orNull } from '../../shared/form.svelte.ts'

type Known = Pick<Schemas['User'], 'niu' | 'idType' | 'idNumber' | 'address'>
const ID_TYPES = ['NATIONAL_ID', 'PASSPORT', 'RESIDENCE_PERMIT', 'DRIVER_LICENSE', 'OTHER'] as const

export const idTypeOf = (text: string | undefined) => ID_TYPES.find((one) => one === text) ?? null
export const identityValues = ({ niu = '', idType = '', idNumber = '', address = '' }: Known) => ({
  niu,
  idType,
  idNumber,
  address,
})
export const identityBody = ({ niu, idType, idNumber, address }: ReturnType<typeof identityValues>) => ({
  niu: orNull(niu),
  idType: idTypeOf(idType),
  idNumber: orNull(idNumber),
  address: orNull(address),
})
