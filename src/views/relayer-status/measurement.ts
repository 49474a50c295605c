import type { Spends } from "../../audit/spend-windows.ts";
import type { Runway } from "../../chain/runway/runway.ts";
import type { Currency } from "../../contract/currency.ts";
import type { RelayctlError } from "../../errors.ts";
import type { RelayerStatus } from "../../relayer-state/health.ts";
import type { RelayerState } from "../../relayer-state/state.ts";
import type { Seen } from "./table.ts";

/** What is measured of one relayer. What could not be read is absent. */
export interface Measurement {
  id: string;
  network: string;
  state: RelayerState;
  /** The coin of its balance; undefined for an unknown kind of network. */
  coin: Currency | undefined;
  /** In the smallest unit. */
  balance?: bigint | undefined;
  minBalance?: bigint | undefined;
  runway?: Runway | undefined;
  drift?: bigint | undefined;
  pending?: bigint | undefined;
  /** The age of the oldest pending transaction in seconds; 0 if none is pending. */
  oldest?: number | undefined;
  spends?: Spends | undefined;
  erc20?: readonly Erc20Balance[];
}

export interface Erc20Balance {
  name: string;
  address: string;
  decimals: number;
  /** In the smallest unit; absent if it could not be read. */
  balance?: bigint | undefined;
}

export interface Measured {
  relayers: readonly Measurement[];
  /** What was read, with the values of these relayers. */
  seen: Seen;
  shown: readonly RelayerStatus[];
  /** Notes about what could not be read. */
  notes: readonly string[];
  /** Why something of a relayer could not be read, by ID. */
  failures: ReadonlyMap<string, RelayctlError>;
}
