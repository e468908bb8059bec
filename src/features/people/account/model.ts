import { Type } from '@sinclair/typebox'
import { Body, DateTime } from '../../../http/schema.ts'
import { Password } from '../registration/model.ts'

export const ChangePassword = Body({ currentPassword: Type.String({ maxLength: 1024 }), newPassword: Password })
export const Session = Type.Object(
  { id: Type.String(), signedInAt: DateTime, expiresAt: DateTime, current: Type.Boolean() },
  { $id: 'Session' },
)
