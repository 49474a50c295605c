import type { Row } from "./row.ts";
import { CONFIG_ROWS } from "./rows/config.ts";
import { FLEET_ROWS } from "./rows/fleet.ts";
import { PAYMENT_ROWS } from "./rows/payments.ts";
import { PROPOSAL_ROWS } from "./rows/proposals.ts";
import { RELAYER_ROWS } from "./rows/relayers.ts";
import { REPORT_ROWS } from "./rows/reports.ts";
import { RESOURCE_ROWS } from "./rows/resources.ts";
import { TRANSACTION_ROWS } from "./rows/transactions.ts";

export const ROWS: readonly Row[] = [
  ...CONFIG_ROWS,
  ...RELAYER_ROWS,
  ...RESOURCE_ROWS,
  ...FLEET_ROWS,
  ...REPORT_ROWS,
  ...TRANSACTION_ROWS,
  ...PAYMENT_ROWS,
  ...PROPOSAL_ROWS,
];
