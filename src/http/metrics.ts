/** What each metric says: its # HELP line. */
const HELP: Readonly<Record<string, string>> = {
  loyer_http_request_duration_seconds: 'Time to answer, by method, route and status.',
  loyer_messages_total: 'Messages tried since the start: taken, put off or refused by the vendor.',
  loyer_message_parts_total: 'Parts of the messages that a vendor took.',
  loyer_message_cost_xaf_total: 'Cost of the messages that a vendor took, in CFA francs.',
  loyer_process_uptime_seconds: 'Time since the process started.',
  loyer_process_resident_memory_bytes: 'Memory of the process.',
  loyer_clock_lead_seconds: 'How far the time of the service is ahead of the clock of the machine.',
  loyer_clock_leap_seconds: 'How far the clock went ahead at once, until that is confirmed.',
  loyer_event_loop_delay_max_seconds: 'Longest that one piece of work held up all others since the last reading.',
  loyer_storage_writable: 'Whether writes succeed: 1 or 0.',
  loyer_storage_refused_writes: 'Writes that the disk refused since the start.',
  loyer_database_intact: 'Whether the last daily check found the database whole: 1 or 0.',
  loyer_database_bytes: 'Size of the database file.',
  loyer_database_wal_bytes: 'Size of the write-ahead log.',
  loyer_disk_bytes: 'Size of the disk that holds the data.',
  loyer_disk_free_bytes: 'Free space on that disk.',
  loyer_papers_waiting: 'Papers still to be drawn.',
  loyer_messages_waiting: 'Messages still to be sent.',
  loyer_webhooks_waiting: 'Webhook deliveries still to be made.',
  loyer_queue_oldest_seconds: 'For how long the oldest entry of a queue has been due.',
  loyer_jobs: 'Jobs by status; a failed one was tried five times.',
  loyer_backup_last_timestamp_seconds: 'When the last good backup was made, in seconds since 1970.',
}

/** The lines of the Prometheus text format that stand before the values of a metric. */
export const headOf = (metric: string, type: 'histogram' | 'counter' | 'gauge'): string[] => [
  `# HELP ${metric} ${HELP[metric] ?? ''}`,
  `# TYPE ${metric} ${type}`,
]
