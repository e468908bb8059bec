import { rowOf } from '../../../http/mutation.ts'
import { toProperty } from './model.ts'
import { updateProperty } from './service.ts'
import { getProperty } from './store.ts'

/** A change of a property; all its leases and papers follow a new owner or name, so that it is made aside then. */
export const propertyUpdate = { run: updateProperty, view: toProperty, current: rowOf(getProperty) }
