import { VERSION } from "../../version.ts";

/** The first steps, printed by `relayctl` without a command. */
export const BARE = `relayctl ${VERSION} · operate relayers, their transactions, and their notifications

Try it now      relayctl --demo relayers list
Connect         relayctl auth login
Every day       relayers status | list | get | edit | update | pause | resume
                tx list | get | send | replace | cancel
                notifications list | get | create | update
What happened   history | history show
Less often      relayers create | delete · signers · networks · plugins · server
All commands    relayctl help
Scripts         relayctl help output · relayctl help exit-codes
`;
