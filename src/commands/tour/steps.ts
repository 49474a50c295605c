import { wireAmount } from "../../contract/amount.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../contract/json.ts";
import { isPending } from "../../contract/transaction/transaction-state.ts";

/** The demo of the tour, as its steps check it. */
export interface Demo {
  /** The requests of commands, without their queries. */
  seen: ReadonlySet<string>;
  /** Returns the data at a path below the API's prefix. */
  read(path: string): Promise<JsonValue>;
}

interface TourStep {
  number: number;
  task: string;
  hint: string;
  isDone(demo: Demo): Promise<boolean>;
}

export const FLEET_FILE = "fleet.json";
const PLANNED_URL = "https://audit.example.org/tour";
export const FLEET_TEXT = `{"notifications":[{"id":"audit-log","type":"webhook","url":"${PLANNED_URL}"}]}\n`;

const HEAD = "/relayers/eth-main-1/transactions/6f1a2c1e-0d0b-4a5f-9f5e-1b1c2d3e4f50";
const RECEIVER = "0x52908400098527886E0F7030069857D2E4169EE7";
const PAID = 10n ** 16n;
const RAISED = 120n * 10n ** 9n;

export const LAST_STEP = 5;

export const STEPS: readonly TourStep[] = [
  {
    number: 1,
    task: "See which relayers of the demo need attention.",
    hint: "relayctl status",
    isDone: async ({ seen }) => seen.has("GET /api/v1/relayers"),
  },
  {
    number: 2,
    task: "A transaction of eth-main-1 pays too little, and three others wait for it. Free the queue.",
    hint: "relayctl relayers unstick eth-main-1",
    isDone: async (demo) => !isPending(await readObject(demo, HEAD)),
  },
  {
    number: 3,
    task: "Raise the gas price cap of eth-main-1 to 120 gwei.",
    hint: "relayctl relayers update eth-main-1 --policy gas_price_cap=120gwei",
    isDone: async (demo) => (await readCap(demo)) === RAISED,
  },
  {
    number: 3,
    task: "Undo that change.",
    hint: "relayctl undo",
    isDone: async (demo) => (await readCap(demo)) !== RAISED,
  },
  {
    number: 4,
    task: `Pay 0.01 ETH from base-hot to ${RECEIVER}.`,
    hint: `relayctl tx send base-hot --to ${RECEIVER} --value 0.01eth --speed fast`,
    isDone: async ({ read }) => listed(await read("/relayers/base-hot/transactions?per_page=100")).some(isPayment),
  },
  {
    number: 5,
    task: `${FLEET_FILE} has a new URL for the notification audit-log. Compare it with the service, and apply it.`,
    hint: `relayctl plan -f ${FLEET_FILE}, then relayctl apply -f ${FLEET_FILE}`,
    isDone: async (demo) => (await readObject(demo, "/notifications/audit-log")).url === PLANNED_URL,
  },
];

async function readCap(demo: Demo): Promise<bigint | undefined> {
  const { policies } = await readObject(demo, "/relayers/eth-main-1");
  return isJsonObject(policies) ? wireAmount(policies.gas_price_cap) : undefined;
}

async function readObject({ read }: Demo, path: string): Promise<JsonObject> {
  const data = await read(path);
  return isJsonObject(data) ? data : {};
}

function listed(data: JsonValue): readonly JsonObject[] {
  return Array.isArray(data) ? data.filter(isJsonObject) : [];
}

function isPayment({ to, value }: JsonObject): boolean {
  return typeof to === "string" && to.toLowerCase() === RECEIVER.toLowerCase() && wireAmount(value) === PAID;
}
