import { type Static, Type } from '@sinclair/typebox'
import { CreatedAt, sha256 } from '../../../http/members.ts'

const FILE = {
  name: Type.String({ description: 'Name of the file.', examples: ['loyer-2026-03-10T020000Z.tar.zst.age'] }),
  sizeBytes: Type.Integer({ description: 'The size of the file in bytes.', examples: [845_213] }),
  createdAt: CreatedAt,
  encrypted: Type.Boolean({ description: 'Whether BACKUP_PASSPHRASE is needed to open it.' }),
}
const BackupFile = Type.Object(FILE, { $id: 'BackupFile' })

export const Backups = Type.Object(
  {
    place: Type.Optional(
      Type.String({
        description: 'The folder or s3:// address of BACKUP_TO; absent while backups are switched off.',
        examples: ['/mnt/disk/backups'],
      }),
    ),
    at: Type.Optional(
      Type.String({ description: 'The time of the daily backup: BACKUP_AT in LOYER_TIME_ZONE.', examples: ['03:00'] }),
    ),
    running: Type.Boolean({ description: 'Whether one is being made now.' }),
    late: Type.Boolean({ description: 'Whether backups are switched on and there was no good one for 48 hours.' }),
    last: Type.Optional(
      Type.Object(
        {
          ...FILE,
          place: Type.String({ description: 'The place where it is stored.', examples: ['/mnt/disk/backups'] }),
          sha256: sha256('The SHA-256 of the whole file, in hex.'),
          seconds: Type.Number({ description: 'How long it took, including its check.', examples: [3] }),
          filesAt: Type.Optional(
            Type.String({
              description:
                'The storage of FILES_TO, which holds the photos and papers; they are then not in the backup.',
              examples: ['s3://my-bucket/loyer'],
            }),
          ),
          wrong: Type.Optional(
            Type.Integer({
              description: 'In how many places its books do not balance, if in any; `loyer check` names them.',
              examples: [2],
            }),
          ),
        },
        { description: 'The last good one: made, opened and checked.' },
      ),
    ),
    failed: Type.Optional(
      Type.Object(
        {
          at: Type.String({
            format: 'date-time',
            description: 'When it failed.',
            examples: ['2026-03-10T02:00:01.000Z'],
          }),
          reason: Type.String({
            description: 'In English, for the operator of the server.',
            examples: ['There is too little room in /mnt/disk/backups for a backup.'],
          }),
        },
        { description: 'The last attempt, if it failed.' },
      ),
    ),
    backups: Type.Array(BackupFile, {
      description: 'The files at the place after the last good backup, the newest first.',
    }),
  },
  { $id: 'BackupState' },
)
export type Backups = Static<typeof Backups>
