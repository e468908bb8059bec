import type { Schemas } from '../../../shared/api.ts'
import { orNull } from '../../../shared/form.svelte.ts'
import { phoneOf } from '../../../shared/phone.ts'
import { language } from '../../../shared/words.svelte.ts'
import { idTypeOf } from '../../kit/identity.ts'

type Tenant = Schemas['Tenant']
/** A tenant as the form holds it. */
export const valuesOf = (tenant?: Tenant) => ({
  fullName: tenant?.fullName ?? '',
  phoneNumber: tenant?.phoneNumber ?? '',
  locale: tenant?.locale ?? language.locale,
  channel: tenant?.channel ?? '',
  idType: tenant?.idType ?? '',
  idNumber: tenant?.idNumber ?? '',
  niu: tenant?.niu ?? '',
  address: tenant?.address ?? '',
  kind: (tenant?.kind ?? 'PERSON') as string,
  rccm: tenant?.rccm ?? '',
  representativeName: tenant?.representativeName ?? '',
  representativeRole: tenant?.representativeRole ?? '',
})
export type TenantValues = { [K in keyof ReturnType<typeof valuesOf>]: string }

const CHANNELS = ['WHATSAPP', 'SMS'] as const
/** An empty field clears its member. */
export const bodyOf = (values: TenantValues) => ({
  fullName: values.fullName.trim(),
  phoneNumber: orNull(phoneOf(values.phoneNumber)),
  locale: values.locale === 'en' ? ('en' as const) : ('fr' as const),
  channel: CHANNELS.find((one) => one === values.channel) ?? null,
  idType: idTypeOf(values.idType),
  idNumber: orNull(values.idNumber),
  niu: orNull(values.niu),
  address: orNull(values.address),
  ...(values.kind === 'COMPANY'
    ? {
        kind: 'COMPANY' as const,
        rccm: orNull(values.rccm),
        representativeName: orNull(values.representativeName),
        representativeRole: orNull(values.representativeRole),
      }
    : { kind: 'PERSON' as const, rccm: null, representativeName: null, representativeRole: null }),
})
