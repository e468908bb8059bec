import { type Static, Type } from '@sinclair/typebox'
import { DateTime } from '../../../http/schema.ts'

const FILE = {
  name: Type.String({ description: 'Name of the file.', examples: ['loyer-2026-03-10T020000Z.tar.zst.age'] }),
  sizeBytes: Type.Integer(),
  createdAt: DateTime,
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
      Type.String({ description: 'When the daily one is made: BACKUP_AT in LOYER_TIME_ZONE.', examples: ['03:00'] }),
    ),
    running: Type.Boolean({ description: 'Whether one is being made now.' }),
    late: Type.Boolean({ description: 'Whether there was no good one for 48 hours although they are switched on.' }),
    last: Type.Optional(
      Type.Object(
        {
          ...FILE,
          place: Type.String({ description: 'Where it was put.', examples: ['/mnt/disk/backups'] }),
          sha256: Type.String({ description: 'Of the whole file, in hex.' }),
          seconds: Type.Number({ description: 'How long it took, with its check.' }),
          filesAt: Type.Optional(
            Type.String({
              description: 'The storage of FILES_TO, where photos and papers lie: they are not in the backup then.',
              examples: ['s3://my-bucket/loyer'],
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
            description: 'In English, for whoever runs the server.',
            examples: ['There is too little room in /mnt/disk/backups for a backup.'],
          }),
        },
        { description: 'The last try, if it failed.' },
      ),
    ),
    backups: Type.Array(BackupFile, {
      description: 'What was at the place after the last good one, the newest first.',
    }),
  },
  { $id: 'BackupState' },
)
export type Backups = Static<typeof Backups>
