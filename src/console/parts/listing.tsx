import { Table } from '@mantine/core'
import type { Key, ReactNode } from 'react'
import { Pager } from './pager.tsx'
import { Rows } from './rows.tsx'

/** One column of a list. */
export interface Column<Row> {
  head?: string
  /** For the ear, where `head` is not shown. */
  label?: string
  cell(row: Row): ReactNode
  align?: 'right'
  /** Digits stand below each other. */
  numbers?: boolean
  maxWidth?: number
}

interface ListingProps<Row> {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  id(row: Row): Key
  /** Below this it scrolls, in pixels. */
  minWidth: number
  /** The first cell of a row opens it. */
  opens?: boolean
  pagination?: Parameters<typeof Pager>[0]['pagination']
  onPage?: Parameters<typeof Pager>[0]['onChange']
}

/** The rows of a list as a table, with its pages below. */
export function Listing<Row>({ rows, columns, id, minWidth, opens, pagination, onPage }: ListingProps<Row>) {
  return (
    <>
      <Rows>
        <Table miw={minWidth}>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ head, label, align }) => (
                <Table.Th key={head ?? label} ta={align} aria-label={label}>
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={id(row)} data-link={opens}>
                {columns.map(({ head, label, cell, align, numbers, maxWidth }) => (
                  <Table.Td key={head ?? label} ta={align} className={numbers ? 'numbers' : undefined} maw={maxWidth}>
                    {cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Rows>
      {pagination && onPage && <Pager pagination={pagination} onChange={onPage} />}
    </>
  )
}
