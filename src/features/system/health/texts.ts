import type { Saying } from './rules.ts'

const say = (en: string, fr: string): Saying => ({ en, fr })
const MANY_MB = 10_000
const en = (mb: number): string => (mb < MANY_MB ? `${mb} MB` : `${Math.floor(mb / 1024)} GB`)
const fr = (mb: number): string => (mb < MANY_MB ? `${mb} Mo` : `${Math.floor(mb / 1024)} Go`)
const age = (hours: number): Saying => {
  if (hours < 1) return say('less than an hour', 'moins d’une heure')
  return hours === 1 ? say('an hour', 'une heure') : say(`${hours} hours`, `${hours} heures`)
}
const lastBackup = (hours: number): Saying =>
  say(
    `The last good backup is ${age(hours).en} old.`,
    `La dernière bonne sauvegarde date ${hours === 1 ? 'd’' : 'de '}${age(hours).fr}.`,
  )
export const SAYINGS = {
  settings: (url: string) =>
    say(`The settings fit, and the address is ${url}.`, `Les paramètres conviennent ; l’adresse est ${url}.`),
  sandbox: say(
    'This is a sandbox: anyone who reaches it can sign in. Set LOYER_MODE=production before you enter real data.',
    'C’est un bac à sable : quiconque y accède peut entrer. Donnez LOYER_MODE=production avant d’y mettre de vraies données.',
  ),
  local: (url: string) =>
    say(
      `PUBLIC_URL is ${url}: links in messages lead to this machine only. Set it to the address that people use.`,
      `PUBLIC_URL vaut ${url} : les liens des messages ne mènent qu’à cette machine. Donnez l’adresse que les gens utilisent.`,
    ),
  plainHttp: (url: string) =>
    say(
      `${url} is not https: passwords are sent unencrypted. Put a proxy with a certificate in front, and set PUBLIC_URL to https.`,
      `${url} n’est pas en https : les mots de passe circulent en clair. Placez devant un serveur mandataire avec certificat, et passez PUBLIC_URL en https.`,
    ),
  noLimits: say(
    'RATE_LIMITS is off: passwords can be guessed without limit. Remove the setting.',
    'RATE_LIMITS vaut off : on peut essayer des mots de passe sans limite. Retirez ce paramètre.',
  ),
  clock: (time: string) => say(`The clock says ${time} UTC.`, `L’horloge indique ${time} UTC.`),
  setBack: say(
    'The clock of this machine was set back, or is not set. Correct it, and let it follow the network (NTP).',
    'L’horloge de cette machine a reculé ou n’est pas réglée. Réglez-la, et laissez-la suivre le réseau (NTP).',
  ),
  leapt: say(
    'The clock went ahead by months, so no rent is billed. If it is right, run `loyer clock confirm`; if not, set it.',
    'L’horloge a avancé de plusieurs mois : aucun loyer n’est facturé. Si elle est juste, lancez `loyer clock confirm` ; sinon, réglez-la.',
  ),
  noDisk: say('The database is in memory.', 'La base est en mémoire.'),
  disk: (mb: number) => say(`${en(mb)} of disk are free.`, `${fr(mb)} de disque sont libres.`),
  diskLow: (mb: number) =>
    say(
      `Only ${mb} MB of disk are free: too few for a copy of the database. Remove old backups, or enlarge the disk.`,
      `Il ne reste que ${mb} Mo de disque : trop peu pour une copie de la base. Retirez d’anciennes sauvegardes, ou agrandissez le disque.`,
    ),
  diskFull: (mb: number) =>
    say(
      `The disk is nearly full (${mb} MB free): soon nothing can be saved. Make room now.`,
      `Le disque est presque plein (${mb} Mo libres) : bientôt, plus rien ne pourra être enregistré. Libérez de la place.`,
    ),
  permissions: (folder: string) =>
    say(`${folder} belongs to the service alone.`, `${folder} n’appartient qu’au service.`),
  readOnly: (folder: string) =>
    say(
      `The service cannot write to ${folder}. Give the folder to its user: chown -R loyer: ${folder}`,
      `Le service ne peut pas écrire dans ${folder}. Donnez ce dossier à son utilisateur : chown -R loyer: ${folder}`,
    ),
  stranger: (path: string, giveBack: string) =>
    say(
      `${path} belongs to another user, so the service may not be able to open it. Give it back: ${giveBack}`,
      `${path} appartient à un autre utilisateur : le service risque de ne pas pouvoir l’ouvrir. Rendez-le-lui : ${giveBack}`,
    ),
  exposed: (folder: string) =>
    say(
      `Other users of this machine can open ${folder}, which holds keys and identity papers: chmod 700 ${folder}`,
      `D’autres utilisateurs de cette machine peuvent ouvrir ${folder}, qui contient des clés et des pièces d’identité : chmod 700 ${folder}`,
    ),
  unchecked: say('The database is being checked.', 'La base est en cours de vérification.'),
  intact: say('The database is whole.', 'La base est intacte.'),
  damaged: say(
    'The database is damaged, and nothing more is written to it. Stop the service and restore the last good backup.',
    'La base est endommagée, et plus rien n’y est écrit. Arrêtez le service et restaurez la dernière bonne sauvegarde.',
  ),
  unbalanced: (places: number) =>
    say(
      `The books did not balance in ${places} places when the last backup was made: \`loyer check\` names them. Keep that backup.`,
      `Les comptes n’étaient pas justes en ${places} endroits lors de la dernière sauvegarde\u00a0: \`loyer check\` les nomme. Gardez cette sauvegarde.`,
    ),
  jobs: say('All work is done in time.', 'Tout le travail est fait à temps.'),
  late: (minutes: number) =>
    say(
      `Jobs have been waiting for ${minutes} minutes. Look for worker.failed and job.failed in the log, and restart the service.`,
      `Du travail attend depuis ${minutes} minutes. Cherchez worker.failed et job.failed dans le journal, et redémarrez le service.`,
    ),
  failedJobs: (n: number) =>
    say(
      n === 1
        ? 'One piece of work failed five times and was given up. Look for job.failed in the log.'
        : `${n} pieces of work failed five times and were given up. Look for job.failed in the log.`,
      n === 1
        ? 'Une tâche a échoué cinq fois et a été abandonnée. Cherchez job.failed dans le journal.'
        : `${n} tâches ont échoué cinq fois et ont été abandonnées. Cherchez job.failed dans le journal.`,
    ),
  noVendor: say(
    'No messaging vendor is connected: no codes or messages are sent, and nobody can register. Set MESSAGING.',
    'Aucun prestataire n’est raccordé : aucun code ni message n’est envoyé, et personne ne peut s’inscrire. Donnez une valeur à MESSAGING.',
  ),
  vendor: (name: string) => say(`${name} answers.`, `${name} répond.`),
  vendorDown: (name: string) =>
    say(
      `${name} does not answer, or refuses messages. Look for message.not_taken in the log; check its address, token and account.`,
      `${name} ne répond pas ou refuse les messages. Cherchez message.not_taken dans le journal ; vérifiez son adresse, son jeton et son compte.`,
    ),
  ownIssuer: say('Loyer signs people in itself.', 'Loyer gère lui-même les connexions.'),
  issuer: say('The Keycloak of AUTH_URL answers.', 'Le Keycloak d’AUTH_URL répond.'),
  issuerDown: say(
    'The Keycloak at AUTH_URL does not answer, so nobody new can sign in. Check its address and whether it runs.',
    'Le Keycloak d’AUTH_URL ne répond pas : personne ne peut plus se connecter. Vérifiez son adresse et qu’il fonctionne.',
  ),
  issuerWrong: say(
    'The server at AUTH_URL is not a Keycloak with the realm svc, or it names another address as its own. Import the realm that `loyer keycloak-realm` prints.',
    'Ce qui répond à AUTH_URL n’est pas un Keycloak avec le realm svc, ou se nomme autrement. Importez-y le realm que `loyer keycloak-realm` affiche.',
  ),
  proxy: (url: string) => say(`${url} leads to this service.`, `${url} mène à ce service.`),
  noProxies: say(
    'TRUSTED_PROXIES is not set, so everybody behind the proxy shares one limit. Set it to the address that the proxy connects from, such as 127.0.0.1.',
    'TRUSTED_PROXIES n’est pas fixé : tous ceux qui passent par le mandataire partagent une même limite. Donnez l’adresse d’où il se connecte, par exemple 127.0.0.1.',
  ),
  untrustedProxy: say(
    'A proxy on this machine passes requests on, and TRUSTED_PROXIES does not name it: everybody shares one limit, and no sign-in knows its network. Set TRUSTED_PROXIES=127.0.0.1,::1 and restart.',
    'Un mandataire sur cette machine transmet des requêtes, et TRUSTED_PROXIES ne le nomme pas : tous partagent une même limite, et aucune connexion ne reconnaît son réseau. Fixez TRUSTED_PROXIES=127.0.0.1,::1 et redémarrez.',
  ),
  noProxyNeeded: say("A sandbox's address is not tried.", 'L’adresse d’un bac à sable n’est pas essayée.'),
  proxyDown: (url: string) =>
    say(
      `${url} cannot be reached from here. Check the name, the certificate, the firewall and whether the proxy runs.`,
      `${url} n’est pas joignable d’ici. Vérifiez le nom, le certificat, le pare-feu et que le mandataire fonctionne.`,
    ),
  proxyWrong: (url: string) =>
    say(
      `${url} answers, but it is not this service. Let the proxy pass requests on to it with their Host header.`,
      `${url} répond, mais ce n’est pas ce service. Le mandataire doit lui passer les requêtes avec leur en-tête Host.`,
    ),
  timeZone: (zone: string, time: string) =>
    say(
      `New organizations are in ${zone}, where it is ${time}.`,
      `Les nouvelles organisations sont à l’heure de ${zone}, où il est ${time}.`,
    ),
  noBackupNeeded: say('A sandbox needs no backup.', 'Un bac à sable se passe de sauvegarde.'),
  noBackup: say(
    'This server has no known backup. The handbook explains how to make one: /docs/handbook/backup',
    'Aucune sauvegarde de ce serveur n’est connue. Le manuel dit comment en faire une : /docs/handbook/backup',
  ),
  backup: lastBackup,
  oldBackup: (hours: number) =>
    say(
      `${lastBackup(hours).en} Look for backup in the log, and make a backup now.`,
      `${lastBackup(hours).fr} Cherchez backup dans le journal, et faites-en une maintenant.`,
    ),
} as const
