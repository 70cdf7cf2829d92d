import { generateKeyPairSync, sign } from "node:crypto";

export interface OwnCertificate {
  /** Both in PEM. */
  readonly key: string;
  readonly certificate: string;
}

/** A self-signed certificate for a TLS server of a test, generated so that no key is in the repository. */
export function ownCertificate(host: string): OwnCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(oid("550403"), der(0x0c, Buffer.from(host)))));
  const algorithm = sequence(oid("2a8648ce3d040302"));
  const hostName = der(0x04, sequence(der(0x82, Buffer.from(host))));
  const authority = der(0x04, sequence(der(0x01, Buffer.of(0xff))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    algorithm,
    name,
    sequence(moment("20200101000000Z"), moment("21200101000000Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(oid("551d11"), hostName), sequence(oid("551d13"), authority))),
  );
  const signature = Buffer.concat([Buffer.of(0), sign("sha256", body, privateKey)]);
  const certificate = sequence(body, algorithm, der(0x03, signature)).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80
      ? Buffer.of(length)
      : length < 0x100
        ? Buffer.of(0x81, length)
        : Buffer.of(0x82, length >> 8, length & 0xff);
  return Buffer.concat([Buffer.of(tag), size, content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(part: Buffer): Buffer {
  return der(0x31, part);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function moment(text: string): Buffer {
  return der(0x18, Buffer.from(text));
}
