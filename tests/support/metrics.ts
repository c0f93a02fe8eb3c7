import { request } from 'undici'

/** The value of one series of a server without tokens, by its name without the product's prefix and with its labels. */
export async function metric(url: string, series: string): Promise<number | undefined> {
  const { body } = await request(`${url}/metrics`)
  const prefix = `durable_workflow_${series} `
  const line = (await body.text()).split('\n').find((text) => text.startsWith(prefix))
  return line === undefined ? undefined : Number(line.slice(prefix.length))
}
