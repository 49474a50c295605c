import { VERSION } from "../../version.ts";

/** What `relayctl` alone prints: where to begin. */
export const BARE = `relayctl ${VERSION} · operate relayers, their transactions and their notifications

Try it now      relayctl --demo relayers list
Connect         relayctl auth login
Every day       relayers list | get | update | edit | pause | resume | status
                tx replace
                notifications list | get | create | update
Anything else   relayctl help
Scripts         relayctl help output · relayctl help exit-codes
`;
