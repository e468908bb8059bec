import { Kind, type TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import type { Members } from '../core/body-rules.ts'
import type { FieldError, Text } from '../errors.ts'
import { textProblem } from './body.ts'

const text = (en: string, fr: string): Text => ({ en, fr })

const EMPTY = text('Must not be empty.', 'Ne peut pas être vide.')
/** Says in a sentence what is wrong with a value; never contains the value itself. */
function sentence(e: ValueError): Text {
  const s = e.schema as TSchema & {
    minimum?: number
    exclusiveMinimum?: number
    maximum?: number
    minLength?: number
    maxLength?: number
    'x-lines'?: boolean
    'x-name'?: boolean
    maxItems?: number
    minItems?: number
    format?: string
    pattern?: string
  }
  // Nothing was entered, so describing the expected form would not help.
  if (e.path !== '' && (e.value === '' || e.value === null)) return EMPTY
  switch (e.type) {
    case ValueErrorType.ObjectRequiredProperty:
      return text('This member is required.', 'Ce champ est obligatoire.')
    case ValueErrorType.ObjectAdditionalProperties:
      return text('There is no such member.', 'Ce champ n’existe pas.')
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return text(`Must be at least ${s.minimum}.`, `Doit être au moins ${s.minimum}.`)
    case ValueErrorType.NumberExclusiveMinimum:
      return text(`Must be more than ${s.exclusiveMinimum}.`, `Doit être plus grand que ${s.exclusiveMinimum}.`)
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return text(`Must be at most ${s.maximum}.`, `Doit être au plus ${s.maximum}.`)
    case ValueErrorType.Integer:
      return text('Must be a whole number.', 'Doit être un nombre entier.')
    case ValueErrorType.Number:
      return text('Must be a number.', 'Doit être un nombre.')
    case ValueErrorType.Boolean:
      return text('Must be true or false.', 'Doit être true ou false.')
    case ValueErrorType.Array:
      return text('Must be a list.', 'Doit être une liste.')
    case ValueErrorType.ArrayMaxItems:
      return text(`Has at most ${s.maxItems} entries.`, `Au plus ${s.maxItems} éléments.`)
    case ValueErrorType.ArrayMinItems:
      return text(`Entries needed: at least ${s.minItems}.`, `Éléments\u00a0: au moins ${s.minItems}.`)
    case ValueErrorType.ArrayUniqueItems:
      return text('Has an entry twice.', 'Contient deux fois le même élément.')
    case ValueErrorType.Object:
      return text('Must be a JSON object.', 'Doit être un objet JSON.')
    case ValueErrorType.ObjectMinProperties:
      return text('Name at least one member to change.', 'Indiquez au moins un champ à modifier.')
    case ValueErrorType.Literal:
      return text(`Must be ${String(s.const)}.`, `Doit être ${String(s.const)}.`)
    case ValueErrorType.Union: {
      const words = (s.anyOf as TSchema[] | undefined)?.map((x) => x.const).filter((x) => x !== undefined)
      return words && words.length > 1
        ? text(`Must be one of ${words.join(', ')}.`, `Doit être parmi ${words.join(', ')}.`)
        : text('Is not of the right kind.', 'N’est pas du bon type.')
    }
    case ValueErrorType.StringMaxLength:
      return text(`Has at most ${s.maxLength} characters.`, `Au plus ${s.maxLength} caractères.`)
    case ValueErrorType.StringFormat:
      if (s.format === 'date')
        return text('Must be a date that exists, as YYYY-MM-DD.', 'Doit être une date qui existe, AAAA-MM-JJ.')
      if (s.format === 'date-time')
        return text(
          'Must be a date and time such as 2026-03-01T08:00:00Z.',
          'Doit être une date et heure comme 2026-03-01T08:00:00Z.',
        )
      return text('Must be a UUID in lower case.', 'Doit être un UUID en minuscules.')
    case ValueErrorType.StringPattern:
      if (s.pattern?.startsWith('^\\+[1-9]'))
        return text(
          'Must be a number such as +237677123456: a plus sign, the country, the number.',
          'Doit être un numéro comme +237677123456\u00a0: un plus, le pays, le numéro.',
        )
      return text('Is not written as it should be.', 'N’est pas écrit comme il faut.')
    case ValueErrorType.Kind:
      if (s[Kind] === 'Phone')
        return text(
          'Must be a phone number such as 677 12 34 56; with + and the country where it is not of Cameroon.',
          'Doit être un numéro comme 677 12 34 56\u00a0; avec + et l’indicatif s’il n’est pas du Cameroun.',
        )
      if (s[Kind] === 'QueryWords') {
        const words = (/^\^\(([^)]+)/.exec(s.pattern ?? '')?.[1] ?? '').replaceAll('|', ', ')
        return text(
          `Must be one of ${words}, or several separated by commas.`,
          `Doit être parmi ${words} ; plusieurs séparés par des virgules.`.replace(' ;', '\u00a0;'),
        )
      }
      if (s.type === 'boolean') return text('Must be true or false.', 'Doit être true ou false.')
      if (s.type === 'integer')
        return text(
          `Must be a whole number from ${s.minimum} to ${s.maximum}.`,
          `Doit être un nombre entier de ${s.minimum} à ${s.maximum}.`,
        )
      switch (
        textProblem(
          {
            minLength: s.minLength ?? 0,
            maxLength: s.maxLength ?? 0,
            ...(s['x-lines'] ? { 'x-lines': true } : {}),
            ...(s['x-name'] ? { 'x-name': true } : {}),
          },
          e.value,
        )
      ) {
        case 'length':
          return text(
            `Must have ${s.minLength} to ${s.maxLength} characters.`,
            `Doit avoir de ${s.minLength} à ${s.maxLength} caractères.`,
          )
        case 'number':
          return text('Must be a name, not a number.', 'Doit être un nom, pas un numéro.')
        case 'characters':
          return text('Contains characters that are not allowed.', 'Contient des caractères interdits.')
        default:
          return text('Must be text.', 'Doit être un texte.')
      }
    case ValueErrorType.String:
      return text('Must be text.', 'Doit être un texte.')
    default:
      return text('Is not of the right kind.', 'N’est pas du bon type.')
  }
}

/** The error inside a nullable member, for a value that is not null. */
function inmost(e: ValueError): ValueError {
  const kinds = (e.schema.anyOf as TSchema[] | undefined)?.filter((x) => x.type !== 'null') ?? []
  const [kind] = kinds
  const first = kind && kinds.length === 1 ? Value.Errors(kind, e.value).First() : undefined
  return first ? inmost({ ...first, path: e.path + first.path }) : e
}

const MOST = 20
/** The first error of each member, for at most 20 members. */
export function fieldErrors(schema: TSchema, value: unknown): FieldError[] {
  // Finding the errors costs ten times as much as a plain check.
  if (Value.Check(schema, value)) return []
  const errors = new Map<string, FieldError>()
  for (const outer of Value.Errors(schema, value)) {
    const e = inmost(outer)
    const path = e.path.slice(0, 200)
    if (!errors.has(path)) errors.set(path, { path, message: sentence(e) })
    if (errors.size === MOST) break
  }
  return [...errors.values()]
}

/** The errors that a rule finds in the valid members, in addition to the `errors` of the others. */
export function ruleErrors(
  errors: readonly FieldError[],
  value: unknown,
  rule: (sound: Members) => readonly FieldError[],
) {
  const broken = new Set(errors.map(({ path }) => path.split('/')[1] ?? ''))
  // In a value that is no object, or has too many errors, the valid members are unknown.
  if (broken.has('') || errors.length === MOST) return []
  const sound = Object.fromEntries(Object.entries(Object(value)).filter(([member]) => !broken.has(member)))
  return rule(sound).filter(({ path }) => !broken.has(path.split('/')[1] ?? ''))
}
