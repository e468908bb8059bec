import { code, get, password, phoneNumber, refused, type Sample } from '../sample.ts'

/** Sign-up, recovery, the own account. */
export function doorSamples(): Sample[] {
  return [
    get('/healthz'),
    get('/readyz'),
    get('/api/v1/sandbox/messages'),
    get('/api/v1/legal/versions'),
    refused('GET /api/v1/legal/:document/:version', 404, 'not_found'),
    { line: 'POST /api/v1/registration/otp', status: 202, body: { phoneNumber } },
    refused('POST /api/v1/registration/otp/verify', 410, 'challenge_gone', code),
    refused('POST /api/v1/registration/complete', 422, 'outdated_terms', {
      ticket: 'unknown',
      firstName: 'A',
      lastName: 'B',
      password,
      acceptedTermsVersion: 'v',
      acceptedPrivacyVersion: 'v',
    }),
    { line: 'POST /api/v1/account/password-reset/request', status: 202, body: { phoneNumber } },
    refused('POST /api/v1/account/password-reset/complete', 503, 'identity_unavailable', {
      ...code,
      newPassword: password,
    }),
    refused('POST /webhooks/smsvendor/dlr', 503, 'webhook_disabled', {}),
    refused('PUT /media-uploads/:id', 403, 'link_invalid'),
    refused('GET /media-files/:id', 403, 'link_invalid'),
    refused('GET /media-files/public/:id', 404, 'not_found'),
    get('/api/v1/account/export'),
    refused('DELETE /api/v1/account', 503, 'identity_unavailable', {}),
    get('/api/v1/account/recoveries'),
    get('/api/v1/account/sessions'),
    refused('DELETE /api/v1/account/sessions/:session', 503, 'identity_unavailable'),
    refused('POST /api/v1/account/password', 503, 'identity_unavailable', {
      currentPassword: password,
      newPassword: password,
    }),
    refused('POST /api/v1/account/phone/otp', 503, 'identity_unavailable', { newPhoneNumber: phoneNumber }),
    { line: 'POST /api/v1/account/phone/old-number/otp', status: 200, body: {} },
    refused('POST /api/v1/account/phone/verify', 410, 'challenge_gone', code),
    { line: 'POST /api/v1/account/phone/verification/otp', status: 200, body: {} },
    refused('POST /api/v1/account/phone/verification/verify', 410, 'challenge_gone', code),
  ]
}
