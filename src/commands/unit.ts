import { SERVICE_SETTINGS, SERVICE_USER } from './service.ts'

type Unit = {
  /** Path of the program. */
  readonly program: string
  /** The absolute data folder, where the service writes. */
  readonly data: string
  /** Absolute folders of backups outside of it: a disk that was unplugged must not keep the service from starting. */
  readonly backups: readonly string[]
  readonly port: number
}
const STATE = '/var/lib/'

/** The systemd unit of the service: an account of its own, a system it can only read, and one folder it can write. */
export function unitOf({ program, data, backups, port }: Unit): string {
  const isState = data.startsWith(STATE) && !data.slice(STATE.length).includes('/')
  const others = [...(isState ? [] : [data]), ...backups.map((folder) => `-${folder}`)]
  return `[Unit]
Description=Loyer, property rental and management
# Not for the network to be online: that waits two minutes where there is none, and the service needs none to start.
After=network.target
# A machine that comes back without its address, or with a full disk, is tried for as long as it takes.
StartLimitIntervalSec=0

[Service]
User=${SERVICE_USER}
Group=${SERVICE_USER}
ExecStart=${program} serve --config ${SERVICE_SETTINGS}
WorkingDirectory=${data}
${isState ? `StateDirectory=${data.slice(STATE.length)}\nStateDirectoryMode=0700\n` : ''}${others.length > 0 ? `ReadWritePaths=${others.join(' ')}\n` : ''}UMask=0077
LimitNOFILE=65536
# journald drops what is above 10,000 lines in half a minute, and a flood of requests would hide what matters.
LogRateLimitIntervalSec=30s
LogRateLimitBurst=100000

Restart=always
RestartSec=2
# Not for wrong settings or a damaged database: those wait for somebody.
RestartPreventExitStatus=64 65 70 78
TimeoutStopSec=15

NoNewPrivileges=yes
${port < 1024 ? 'AmbientCapabilities=CAP_NET_BIND_SERVICE\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE' : 'CapabilityBoundingSet='}
ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
PrivateDevices=yes
PrivateTmp=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@resources @privileged
# Threads of long work stand behind the one that answers.
SystemCallFilter=setpriority
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`
}
