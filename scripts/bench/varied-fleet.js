/**
 * A realistic fleet, in the order of the service's members (facts 4.1): three kinds, optional policies, RPC URLs as the service
 * masks them (facts 4.4), names in five scripts, and amounts that a double would round. Each relayer is generated from its number
 * only, as JSON text, since JSON.stringify would round it.
 */
export function variedRelayer(number) {
  const chance = chances(number);
  const kind = KINDS[chance(4)];
  const { networks, address, policies } = kind;
  const members = [
    `"id":"relayer-${String(number).padStart(7, "0")}"`,
    `"name":"${nameOf(number, chance)}"`,
    `"network":"${networks[chance(networks.length)]}"`,
    `"network_type":"${kind.type}"`,
    `"paused":${chance(20) === 0}`,
    policies(number, chance),
    `"signer_id":"signer-${number % 100}"`,
    chance(3) === 0 && '"notification_id":"ops-hook"',
    ...[rpcUrls(chance), `"address":"${address(number)}"`],
    ...disabled(chance),
  ];
  return `{${members.filter(Boolean).join(",")}}`;
}

/** Returns one page of such a fleet, as the service sends it: `per_page` relayers, fewer at the end. */
export function variedPage(size, page, perPage) {
  const first = (page - 1) * perPage;
  const count = Math.max(0, Math.min(perPage, size - first));
  const items = Array.from({ length: count }, (_, index) => variedRelayer(first + index + 1));
  const pagination = `{"current_page":${page},"per_page":${perPage},"total_items":${size}}`;
  return `{"success":true,"data":[${items.join(",")}],"error":null,"pagination":${pagination}}`;
}

const NAMES = ["Казначейство", "Πληρωμές", "決済リレー", "دفع", "भुगतान"];
const EVM = {
  type: "evm",
  networks: ["mainnet", "base", "arbitrum-one", "polygon", "sepolia"],
  address: (number) => `0x${digits(number, 40, 16)}`,
  policies: (number, chance) =>
    chance(3) > 0 &&
    `"policies":${object([
      `"min_balance":${amount(number)}`,
      '"gas_limit_estimation":true',
      chance(2) && `"gas_price_cap":${80_000_000_000 + number}`,
      chance(6) === 0 && `"whitelist_receivers":["0x${digits(number + 1, 40, 16)}"]`,
      chance(2) && `"eip1559_pricing":${chance(4) > 0}`,
      chance(3) === 0 && '"private_transactions":true',
    ])}`,
};
const SOLANA = {
  type: "solana",
  networks: ["mainnet-beta", "devnet"],
  address: (number) => digits(number, 44, 33).toUpperCase(),
  policies: (number, chance) =>
    `"policies":${object([
      chance(8) === 0 && `"allowed_programs":["${digits(number + 1, 44, 33).toUpperCase()}"]`,
      chance(2) && `"max_signatures":${1 + chance(8)}`,
      '"max_tx_data_size":1232',
      `"min_balance":${10_000_000 + number}`,
      chance(2) && `"fee_payment_strategy":"${chance(2) ? "user" : "relayer"}"`,
      chance(3) === 0 && `"fee_margin_percentage":${chance(100) / 10}`,
      chance(4) === 0 && `"max_allowed_fee_lamports":${18_446_744_073_709_551_615n - BigInt(number)}`,
    ])}`,
};
const STELLAR = {
  type: "stellar",
  networks: ["mainnet", "testnet"],
  address: (number) => `G${digits(number, 55, 32).toUpperCase()}`,
  policies: (number, chance) =>
    `"policies":${object([
      chance(2) && `"max_fee":${1_000_000 + number}`,
      chance(3) === 0 && '"timeout_seconds":60',
      `"min_balance":${9_007_199_254_740_993n + 2n * BigInt(number)}`,
      chance(3) === 0 && '"concurrent_transactions":true',
      '"fee_payment_strategy":"relayer"',
      chance(4) === 0 && '"slippage_percentage":1.5',
    ])}`,
};
const KINDS = [EVM, EVM, SOLANA, STELLAR];

/** Returns an amount above 2^64 that no double holds. */
function amount(number) {
  return 12_345_678_901_234_567_891n + 1000n * BigInt(number);
}

function nameOf(number, chance) {
  return chance(20) > 0 ? `Relayer ${number}` : `${NAMES[chance(NAMES.length)]} ${number}`;
}

function rpcUrls(chance) {
  const drawn = chance(10);
  if (drawn > 1) return "";
  const other = drawn === 0 ? ',{"url":"https://backup.example.org","weight":20}' : "";
  return `"custom_rpc_urls":[{"url":"https://rpc.example.org/***","weight":80}${other}]`;
}

function disabled(chance) {
  const drawn = chance(30);
  if (drawn > 1) return ['"system_disabled":false'];
  const nonce = '{"type":"NonceSyncFailed","details":"Nonce synchronization failed"}';
  const balance = '{"type":"BalanceCheckFailed","details":"Insufficient balance"}';
  const reason = drawn === 0 ? nonce : `{"type":"Multiple","details":[${nonce},${balance}]}`;
  return ['"system_disabled":true', `"disabled_reason":${reason}`];
}

function object(members) {
  return `{${members.filter(Boolean).join(",")}}`;
}

/** Returns so many digits of a number system, different for each number. */
function digits(number, length, radix) {
  let text = "";
  for (let seed = number; text.length < length; seed++) text += mixed(seed).toString(radix).padStart(6, "0").slice(-6);
  return text.slice(0, length);
}

/** Returns what draws from 0 to below a bound, each time another value, the same ones for the same number. */
function chances(number) {
  let state = mixed(number);
  return (bound) => {
    state = mixed(state + 1);
    return state % bound;
  };
}

/** Returns another whole number of 32 bits, which looks unrelated. */
function mixed(number) {
  let bits = Math.imul(number ^ 0x9e3779b9, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
