/**
 * Bounds of waiting: every timeout, deadline, wait, and lifetime of the client and the commands, in milliseconds, and
 * the numbers of retries. The waits of the embedded server, which copy the service, are in its own files.
 */

/** For one attempt, without `--timeout` (promises 2.2). */
export const DEFAULT_TIMEOUT = 30_000;
/** For a command that is neither a list nor a bulk run, without `--deadline` (promises 2.2). */
export const DEFAULT_DEADLINE = 120_000;
/** Extra attempts, unless `--retries` overrides them (promises 2.2). */
export const DEFAULT_RETRIES = 2;
export const MOST_RETRIES = 10;

/** Longest backoff before the first retry. It doubles with each further retry. */
export const FIRST_BACKOFF = 200;
/** Longest backoff before a retry, besides the wait that the service requests. */
export const LONGEST_BACKOFF = 8_000;
/** Is added to the requested wait: the service mostly sends `retry-after: 0` for a short wait (facts 1.3). */
export const RATE_LIMIT_BACKOFF = 100;
/** Longest wait for the service's rate limit in a command without a time limit. */
export const LONGEST_WAIT = 120_000;
/** Time after the first attempt in which a request that must be sent only once may be retried (promises 7.1). */
export const ONCE_WINDOW = 15_000;
/** Extra attempts of a request that must be sent only once, however many `--retries` allows (promises 7.1). */
export const ONCE_RETRIES = 2;
/** How often a request in bulk may be refused by rate before it fails. */
export const BULK_RETRIES = 100;

/** Interval between requests after the first refusal by rate: by default the service allows 100 per second (facts 1.3). */
export const FIRST_INTERVAL = 10;
/** Longest interval between requests, however slow the service seems to be. */
export const LONGEST_INTERVAL = 1_000;
/** When a wait for a service that refuses every request is reported, and how often. */
export const REFUSAL_NOTES = { after: 5_000, every: 60_000 } as const;
/** How late a timer of a busy process can be. A longer delay has another cause. */
export const TIMER_LATENESS = 5;
/** The longest time that Node's timers support: above it they fire at once, and Node 24 warns about negative values. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Lifetime of an idle connection. The service closes after 55 s (facts 1.5); a shorter time means fewer stale sockets. */
export const IDLE_CONNECTION = 1_000;
/** How long a connection has to be silent before a write, checked every millisecond: bytes may be unread. */
export const SILENCE = 5;
/** Time to watch a connection after a refusal, unless the service closes it. */
export const LINGER = 50;
/** Lifetime of a name lookup: a command opens several connections to one host. */
export const LOOKUP_LIFETIME = 5_000;
export const WEBHOOK_TIMEOUT = 10_000;

/** Time limit for a `token_command`. */
export const TOKEN_COMMAND_TIMEOUT = 10_000;
/** Time limit for a program that keeps tokens, which the user may have to unlock. */
export const TOKEN_STORE_TIMEOUT = 60_000;
/** Time limit for ssh-keygen, in which the user may have to touch a key. */
export const SIGNING_TIMEOUT = 60_000;
/** Time before a token expires at which it is read again. */
export const TOKEN_MARGIN = 5_000;
/** Age at which a file of credentials is read again: another program may have replaced it. */
export const CREDENTIALS_AGE = 10_000;
/** Time limit for the program of `--on-change`. */
export const ON_CHANGE_TIMEOUT = 10_000;
/** Time between two warnings about the program of `--on-change`. */
export const ON_CHANGE_WARNING_SPACING = 60_000;
/** Time for a program to end by itself after a termination signal. */
export const PROGRAM_GRACE = 500;
/** Time for an editor to save its text after a termination signal. */
export const EDITOR_GRACE = 1_000;
/** Time before a pager gets its text, in which a pager that can't run ends. */
export const PAGER_START = 100;
/** Time after an editor or a pager in which its Ctrl-C can arrive. */
export const LATE_SIGNALS = 50;

/** Time without activity after which the holder of a lock counts as dead. */
export const LOCK_LIFETIME = 5_000;
/** Longest wait for the living holder of a lock. */
export const LOCK_PATIENCE = 10_000;
/** Shortest and longest wait before another try to get a lock. */
export const LOCK_POLL = { shortest: 25, longest: 100 } as const;
/** The same for the journal's lock. Appending takes milliseconds: a holder silent for two seconds was killed. */
export const JOURNAL_LOCK = { patience: 5_000, lifetime: 2_000 } as const;
/** An appending process keeps the lock, the shortest time if another waits, and then updates the head. */
export const JOURNAL_HOLD = { shortest: 100, longest: 1_000 } as const;

/** Time before a terminal shows progress (promises 3). */
export const PROGRESS_DELAY = 1_000;
/** Interval between two plain lines about the same wait. */
export const PROGRESS_LINE = 10_000;
/** Interval between two updates of the progress on a terminal. */
export const PROGRESS_TICK = 100;
/** Time for a reader to take the output after an interrupt. */
export const OUTPUT_GRACE = 300;
/** Time until the process is ended if something keeps it alive after the result. */
export const EXIT_GRACE = 300;

/** Time limit for reading the coin of a network, since its symbol is optional. */
export const COIN_TIMEOUT = 3_000;
export const COIN_LIFETIME = 24 * 3_600_000;
/** Time limit for reading a relayer's transactions before a payment without a journal. */
export const LISTED_TIMEOUT = 3_000;
/** Time limit for reading a balance, and the inputs of an estimate. */
export const FUNDS_TIMEOUT = 5_000;
/** Time for simulating a call before it is sent, after which no further request is sent for it. */
export const SIMULATION_TIMEOUT = 5_000;
/** Time limit for checking a confirmed record with the chain, which only adds to the record. */
export const CHAIN_TIMEOUT = 5_000;
/** Time limit for checking the node of new RPC URLs, after the write that set them. */
export const NODE_TIMEOUT = 5_000;
/** Time limit for the status of all shown relayers, unless `--deadline` is given: a node may hang. */
export const STATUS_TIMEOUT = 30_000;
/** Time limit for reading accounts' spending, without `--deadline`: a day of transactions takes many reads. */
export const SPEND_TIMEOUT = 120_000;
/** Time limit for each request of `doctor`: a hanging node must not delay the rest. */
export const DOCTOR_TIMEOUT = 10_000;
/** Shortest interval of `--watch`. A shorter one would exhaust a shared rate limit. */
export const SHORTEST_WATCH = 1_000;

/** The default of `--watch`. */
export const USUAL_WATCH = 2_000;
/** Shortest interval of a watch's reads that take a request, and a node's call, per relayer. */
export const SLOWER_WATCH = 30_000;
/** The default time between two measurements of `relayers guard`. */
export const GUARD_INTERVAL = 60_000;
/** Time after which a guard reports a relayer that it cannot measure. */
export const UNREAD_TIME = 300_000;
/** Time after which a guard ends if every measurement was refused: a token that expired stays expired. */
export const REFUSED_TIME = 1_800_000;
/** Milliseconds of a watch for each of its requests: a large fleet is read less often than was typed. */
export const REQUEST_SPACING = 100;
/** Longest wait of a rate-limited watch, unless its interval is longer. */
export const LONGEST_WATCH_PAUSE = 60_000;
/** Longest wait of a scrape for new values. Prometheus itself waits for 10 seconds. */
export const SCRAPE_PATIENCE = 8_000;
/** Time limit for reading all relayers for a scrape: 3,000 take a minute, and a scrape does not wait for them. */
export const SWEEP_TIMEOUT = 240_000;
/** Time for which a scrape serves values that could not be read again. */
export const METRICS_LIFETIME = 300_000;
/** How long a watch marks changes. */
export const MARK_TIME = 5_000;

/** Time limit for following transactions, unless `--deadline` overrides it. */
export const FOLLOW_DEADLINE = 10 * 60_000;
/** Intervals between two reads of a followed transaction: the first for some time, then a longer, growing one. */
export const FOLLOW_INTERVALS = { first: 1_000, firstFor: 10_000, later: 2_000, longest: 5_000 } as const;
/** Time without the chain's response after which an ended record counts by itself. */
export const CHAIN_PATIENCE = 15_000;

/** Waits before each search for the transactions of payments whose responses were lost. */
export const SEARCH_WAITS: readonly number[] = [0, 1_000, 4_000];
/** Time after which no further search begins: a service that stays silent is not asked again. */
export const SEARCH_TIME = 30_000;
/** Time for asking a node about what an address sent, after which a lost payment stays unknown: a slow node is not awaited. */
export const CHAIN_SEARCH_TIME = 60_000;
/** Time for which some of many payments are followed before others get their turn; longer than `CHAIN_PATIENCE`. */
export const PAYMENT_TURN = 30_000;

/** How long a replacement's broadcast is awaited. The service takes 1 to 3 s (facts 16.2). */
export const BROADCAST_PATIENCE = 15_000;

/** Time limit for restoring a relayer's cap at the end of a command, after Ctrl-C and after the deadline too. */
export const RESTORE_TIMEOUT = 60_000;
/** Interval between two tries to restore it. */
export const RESTORE_INTERVAL = 1_000;

/** How long TAB waits for the service. */
export const COMPLETION_PATIENCE = 300;
/** Time limit for one attempt of the separate process that reads IDs for TAB. */
export const COMPLETION_TIMEOUT = 5_000;
/** Time limit for the separate process that reads IDs for TAB. */
export const COMPLETION_DEADLINE = 10_000;
/** How long IDs are offered without another request. */
export const IDS_LIFETIME = 60_000;
/** Age at which cached files of completion are removed. */
export const COMPLETION_LIFETIME = 3_600_000;

/** The milliseconds within which the service broadcasts a replacement that it accepted (facts 16.2). */
export const RESENT_WITHIN = 5_000;

/** Time after which the file with the IDs that a run did not change is removed, and within which it never is. */
export const RUN_FILE_LIFETIME = 30 * 86_400_000;
export const RUN_FILE_GRACE = 86_400_000;

/** Time whose payments the limits of a context per day add up. */
export const LIMITED_DAY = 24 * 3_600_000;
/** Time whose spending shows how long a balance lasts. */
export const PACE_WINDOW = 24 * 3_600_000;

/** The delay of the embedded server's late request: longer than anyone looks for it at once. */
export const LATE_REQUEST = 10_000;

/** Time after which a request that was sent arrives no more. */
export const LONGEST_ON_THE_WAY = 5 * 60_000;
/** Time for which an instance or a replica may not show an applied write. */
export const LONGEST_READ_LAG = 10_000;
