import manifest from '../../package.json' with { type: 'json' }

export const HELP = `loyer ${manifest.version}: property rental and management from one binary

  loyer serve      run the service
  loyer demo       run a sandbox with sample data in ./loyer-demo
  loyer demo clear make a demo's folder fit for real use: without its accounts, or empty where nobody else signed up
  loyer install    make Loyer a service of this machine: account, settings, a unit of systemd; say what to do elsewhere
                   --domain rent.example.cm sets its address, --dry-run prints the files, --root FOLDER writes them there
  loyer doctor     say what is wrong with this server and what to do; exit 0, or 1 if something does not work
  loyer ready      ask the running service whether it can work; exit 0 or 1
  loyer migrate    bring the database up to date and stop, while the service is stopped
  loyer user create --phone +237677000000 --role OWNER --first-name A --last-name B [--org ID] [--org-name NAME] [--password P]
                   make an account, while the service is stopped; without --password one is made and printed
  loyer user password --phone +237677000000 [--password P]
                   set a new password for somebody who is locked out, while the service is stopped
  loyer user second-factor --phone +237677000000 --off
                   take the second sign-in step off somebody who lost it, while the service is stopped
  loyer export FILE.zip [--org ID]
                   pack all of an organization, identity papers too, while the service is stopped
  loyer import FILE.zip [--operator]
                   bring an organization's export in, while the service is stopped; people then set a new password by
                   phone; --operator makes it the operator's, on a server that has no organization yet
  loyer backup     pack everything into one file, open and check it, while the service runs or is stopped;
                   --to FOLDER or --to s3://BUCKET/PREFIX for another place than BACKUP_TO
  loyer files push
                   copy photos and papers to the storage of FILES_TO, while the service runs or is stopped
  loyer files pull
                   copy them back into LOYER_DATA
  loyer verify FILE
                   read a whole backup and open its database
  loyer restore FILE [--dry-run]
                   put a backup in place of what is there, which is kept beside it, while the service is stopped;
                   FILE may be s3://BUCKET/PREFIX/NAME, or s3://BUCKET/PREFIX for the newest one there, as for verify
  loyer rollback   put back the database that was copied before the last update, and the program before it, while the
                   service is stopped; --dry-run says what it would change
  loyer update FILE
                   check the signature FILE.minisig of a downloaded Loyer against UPDATE_KEY, and put it in the place of
                   this one, which is kept beside it; --check only checks
  loyer keys new   make another master key when the old one is lost or known to others, while the service is stopped:
                   everybody signs in again
  loyer clock confirm
                   say that the machine's clock is right after it went ahead by months (see /readyz)
  loyer openapi    print the OpenAPI document
  loyer keycloak-realm
                   print the realm for a Keycloak to import; it holds AUTH_ADMIN_CLIENT_SECRET where that is set

  --config FILE    read settings from FILE (lines KEY=value); without it from /etc/loyer.env where a service is installed
  --help, --version

Settings are environment variables: PORT, HOST, PUBLIC_URL, LOYER_DATA, LOYER_MODE, AUTH_URL and more, see the handbook: /docs/handbook/settings.`
