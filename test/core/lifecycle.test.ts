import { describe, expect, test } from 'bun:test'
import { next, type Transitions } from '../../src/core/lifecycle.ts'
import { PAYMENT_METHODS } from '../../src/core/money.ts'
import { BOOKING_STATUS, bookingMoves } from '../../src/features/lease/leases/rules.ts'
import { INVOICE_STATUS, invoiceMoves, PAYABLE } from '../../src/features/money/invoices/rules.ts'
import { PAYMENT_STATUS, paymentMoves } from '../../src/features/money/payments/rules.ts'
import { PROPERTY_STATUS, PROPERTY_TYPES, propertyMoves } from '../../src/features/property/properties/rules.ts'

/** One row a status, one column an action: the status it moves to, '=' already there, '-' refused. */
function matrix<S extends string, A extends string>(statuses: readonly S[], table: Transitions<S, A>): string[] {
  const rows: string[] = []
  for (const status of statuses) {
    let row: string = status
    for (const action in table) {
      const step = next(table, status, action)
      row += ` ${step.kind === 'move' ? step.to : step.kind === 'already' ? '=' : '-'}`
    }
    rows.push(row)
  }
  return rows
}

describe('every status × action', () => {
  test('bookings: submit activate cancel terminate reinstate', () => {
    expect(matrix(BOOKING_STATUS, bookingMoves)).toEqual([
      'DRAFT PENDING - CANCELLED - -',
      'PENDING = ACTIVE CANCELLED - -',
      'ACTIVE - = - TERMINATED =',
      'CANCELLED - - = - -',
      'TERMINATED - - - = ACTIVE',
    ])
  })

  test('properties: publish archive restore', () => {
    expect(matrix(PROPERTY_STATUS, propertyMoves)).toEqual([
      'DRAFT PUBLISHED ARCHIVED =',
      'PUBLISHED = ARCHIVED -',
      'ARCHIVED - = DRAFT',
    ])
  })

  test('payments: confirm reject withdraw reverse', () => {
    expect(matrix(PAYMENT_STATUS, paymentMoves)).toEqual([
      'PENDING CONFIRMED REJECTED REJECTED -',
      'CONFIRMED = - - REVERSED',
      'REJECTED - = = -',
      'REVERSED - - - =',
    ])
  })

  test('invoices: cancel, never once PAID', () => {
    expect(matrix(INVOICE_STATUS, invoiceMoves)).toEqual([
      'ISSUED CANCELLED',
      'OVERDUE CANCELLED',
      'PAID -',
      'CANCELLED =',
    ])
    expect([...PAYABLE]).toEqual(['ISSUED', 'OVERDUE'])
  })
})

describe('next', () => {
  test('a refusal names exactly the actions that are allowed', () => {
    expect(next(bookingMoves, 'DRAFT', 'terminate')).toEqual({ kind: 'refused', allowed: ['submit', 'cancel'] })
    expect(next(bookingMoves, 'ACTIVE', 'cancel')).toEqual({ kind: 'refused', allowed: ['terminate'] })
    expect(next(paymentMoves, 'REVERSED', 'confirm')).toEqual({ kind: 'refused', allowed: [] })
    expect(next(propertyMoves, 'PUBLISHED', 'restore')).toEqual({ kind: 'refused', allowed: ['archive'] })
  })

  test('a status never moves to itself, and the table is not changed', () => {
    const before = JSON.stringify(bookingMoves)
    for (const status of BOOKING_STATUS) {
      for (const action of ['submit', 'activate', 'cancel', 'terminate'] as const) {
        expect(next(bookingMoves, status, action)).not.toEqual({ kind: 'move', to: status })
      }
    }
    expect(JSON.stringify(bookingMoves)).toBe(before)
  })
})

test('the closed lists are those of the interface', () => {
  expect(PROPERTY_TYPES.join()).toBe('APARTMENT,STUDIO,HOUSE,VILLA,OFFICE,COMMERCIAL,LAND')
  expect(PAYMENT_METHODS.join()).toBe('CASH,MTN_MOMO,ORANGE_MONEY,BANK_TRANSFER,CHEQUE,WITHHOLDING,OTHER')
})
