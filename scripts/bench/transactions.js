/** Returns a transaction as the service sends it, about 800 bytes. */
export function transaction(id) {
  return {
    id: `tx-${id}`,
    hash: `0x${"5d".repeat(32)}`,
    status: "submitted",
    status_reason: null,
    created_at: "2026-08-20T10:00:00.123456789+00:00",
    sent_at: "2026-08-20T10:00:01.500000000+00:00",
    confirmed_at: null,
    gas_price: null,
    gas_limit: 21000,
    nonce: 7,
    value: "0xe8d4a51000",
    from: "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
    to: "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
    relayer_id: "eth-main-1",
    data: null,
    max_fee_per_gas: "2000000000",
    max_priority_fee_per_gas: "1000000000",
    signature: { r: "9a".repeat(32), s: "3b".repeat(32), v: 1 },
    speed: "fast",
    is_canceled: false,
  };
}

/** Returns one page of so many transactions, as the service sends it. */
export function transactionPage(size, page, perPage) {
  const first = (page - 1) * perPage;
  const length = Math.max(0, Math.min(perPage, size - first));
  const data = Array.from({ length }, (_, index) => transaction(String(first + index).padStart(6, "0")));
  const pagination = { current_page: page, per_page: perPage, total_items: size };
  return JSON.stringify({ success: true, data, error: null, pagination });
}
