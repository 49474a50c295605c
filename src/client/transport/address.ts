/** The address to connect to for a service or a proxy. */
export interface Address {
  /** A name or an address, IPv6 without brackets. */
  host: string;
  port: number;
  /** Whether the host is a name: certificates are not requested for addresses. */
  isName: boolean;
}

export function addressOf(url: string): Address {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  return {
    host,
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    isName: !host.includes(":") && !/^[0-9.]+$/.test(host),
  };
}
