import manifest from '../../package.json' with { type: 'json' }

/** The part of the help on one command, as `loyer NAME --help` prints it. */
export function helpOf(name: string): string {
  const [first = '', ...parts] = HELP.split(/^(?= {2}loyer )/m)
  const own = parts.find((part) => part.startsWith(`  loyer ${name} `) || part.startsWith(`  loyer ${name}\n`))
  return own === undefined
    ? HELP
    : `${first}${own.split(/\n\n/)[0]?.trimEnd()}\n\n  loyer --help lists all commands and options.`
}

export const HELP = `loyer ${manifest.version}: property rental and management from one binary

  loyer serve      run the service; --domain rent.example.cm says its address behind a proxy, and how to set up Caddy as one
  loyer demo       run a sandbox with sample data in ./loyer-demo
  loyer demo clear prepare a demo's folder for real use: remove its accounts, or empty it if nobody else signed up
  loyer install    make Loyer a service of this machine: account, settings, systemd unit; say what to do elsewhere
                   --domain rent.example.cm sets its address, --dry-run prints the files, --root FOLDER writes them there
  loyer doctor     check this server, and say what is wrong and what to do; exit 1 if something does not work, else 0
  loyer check      prove that the books balance to the franc, while the service runs or is stopped; exit 1 if they do not
  loyer ready      check whether the running service can work; exit 0 if it can, else 1
  loyer migrate    update the database, then exit, while the service is stopped
  loyer user create --phone +237677000000 --role OWNER --first-name A --last-name B [--org ID] [--org-name NAME] [--password P]
                   create an account, while the service is stopped; without --password one is generated and printed
  loyer user password --phone +237677000000 [--password P]
                   set a new password for somebody who is locked out, while the service is stopped
  loyer user second-factor --phone +237677000000 --off
                   remove the second sign-in step of somebody who lost it, while the service is stopped
  loyer export FILE.zip [--org ID]
                   pack all data of an organization, including identity papers, while the service is stopped
  loyer export FILE.zip --organization ID
                   freeze an organization that is to move to another service, and pack it, while the service runs or is
                   stopped: its reads go on, its writes are refused; then without FILE: --release ends that, --moved-to URL
                   sends its people to the other service, --forget removes what is left of one that has moved
  loyer import FILE.zip [--operator]
                   import the export of an organization, while the service runs or is stopped; people then set a new
                   password by phone, except where it moves: then it stays closed until --open CODE with
                   what --moved-to printed; --undo ID removes one that is not open yet; --operator makes it the operator's
                   organization, on a server that has none yet
  loyer backup     pack everything into one file, then open and check it, while the service runs or is stopped;
                   --to FOLDER or --to s3://BUCKET/PREFIX stores it elsewhere than in BACKUP_TO
  loyer files push
                   copy photos and papers to the storage of FILES_TO, while the service runs or is stopped
  loyer files pull
                   copy them back into LOYER_DATA
  loyer verify FILE [--plain]
                   read a whole backup and open its database; where BACKUP_PASSPHRASE is set, one that is not encrypted is
                   refused unless --plain is added, as for restore
  loyer restore FILE [--plain] [--dry-run]
                   replace the current data by a backup, and keep the old data beside it, while the service is stopped;
                   FILE may be s3://BUCKET/PREFIX/NAME, or s3://BUCKET/PREFIX for the newest one there, as for verify
  loyer rollback   restore the database copied before the last update, and the previous program, while the service is
                   stopped, with sudo where it was installed; --dry-run says what it would change
  loyer update FILE
                   check the signature FILE.minisig of a downloaded Loyer against the key built into this one or UPDATE_KEY,
                   then replace this program by it and keep the old one beside it; --check only checks
  loyer keys new   create a new master key if the old one is lost or known to others, while the service is stopped;
                   everybody must sign in again
  loyer clock confirm
                   confirm that the machine's clock is right after it jumped ahead by months (see /readyz)
  loyer openapi    print the OpenAPI document
  loyer keycloak-realm
                   print the realm for a Keycloak to import; it contains AUTH_ADMIN_CLIENT_SECRET if that is set

  --config FILE    read settings from FILE (lines KEY=value); without it from /etc/loyer.env if a service is installed
  --help, --version

Settings are environment variables: PORT, HOST, PUBLIC_URL, LOYER_DATA, LOYER_MODE, AUTH_URL and more, see the handbook: /docs/handbook/settings.`
