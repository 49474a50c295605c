const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function base64Bytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 > 0 || !BASE64.test(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
