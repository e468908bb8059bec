import { api, data, type Schemas } from '../../../shared/api.ts'
import { live } from '../../live.svelte.ts'
import { userId } from '../../offline.ts'

type Person = Schemas['CurrentUser']
const readPerson = (): Promise<Person> => data(api.GET('/api/v1/me'))
/** Who is signed in; call it while a component is made. */
export const person = () => live<Person>(() => `me ${userId()}`, readPerson)
