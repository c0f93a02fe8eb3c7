/** How this package names itself in a registration. */
export const sdkVersion = 'durable-workflow-typescript/0.1.0'
