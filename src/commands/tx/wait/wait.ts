import type { Standing, Target } from "../../../chain/follow/followed.ts";
import type { WaitPlan } from "./flags.ts";

export interface Wait {
  targets: readonly Target[];
  plan: WaitPlan;
  /** Set if a write of the same command was applied. */
  wrote: boolean;
  /** Milliseconds after which this wait ends, besides the time limit of the command. */
  atMost?: number;
}

export interface WaitReporter {
  seen(standings: readonly Standing[]): Promise<void>;
  end(): Promise<void>;
}
