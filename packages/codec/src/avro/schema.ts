// The one schema: record Value of durable_workflow.protocol, a union of eight branches (history-replay §6.2).

/** The ten bytes that open every frame: single-object magic C3 01 and the CRC-64-AVRO fingerprint of the schema. */
export const frameHeader: readonly number[] = [0xc3, 0x01, 0xe2, 0xa3, 0x3d, 0xff, 0x55, 0x80, 0x22, 0x37]

/** Union indexes as they stand in the datum: zig-zag, one byte. */
export const branch = {
  null: 0x00,
  boolean: 0x02,
  long: 0x04,
  double: 0x06,
  bytes: 0x08,
  string: 0x0a,
  array: 0x0c,
  map: 0x0e,
} as const
