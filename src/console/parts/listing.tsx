import { Box, Skeleton, Stack, Table } from '@mantine/core'
import type { Key, ReactNode } from 'react'
import { Failed } from './failed.tsx'
import { NextPager } from './next-pager.tsx'
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
  /** As wide as what is in it. */
  narrow?: boolean
}

/** One page of a list, as the server gives it: of a list that says how long it is, or of one that does not. */
interface ListPage<Row> {
  data: readonly Row[]
  pagination?: Parameters<typeof Pager>[0]['pagination']
  has_more?: boolean
}

/** What is known of a page that was asked for. */
interface ListQuery<Row> {
  data?: ListPage<Row>
  error?: unknown
  refetch?: () => unknown
  /** Whether `data` is that of the page before, until this one is there. */
  isPlaceholderData?: boolean
}

interface ListingProps<Row> {
  list: ListQuery<Row>
  columns: readonly Column<Row>[]
  id(row: Row): Key
  /** Below this it scrolls, in pixels. */
  minWidth: number
  /** The first cell of a row opens it. */
  opens?: boolean
  /** In place of the table where nothing is yet, or nothing is found. */
  empty?: ReactNode
  /** The one that is asked for, of a list that does not say it. */
  page?: number
  onPage?: Parameters<typeof Pager>[0]['onChange']
}

/** A list as a table with its pages below, also while it is waited for, where that fails and where nothing is in it. */
export function Listing<Row>({ list, empty, page = 1, onPage, ...table }: ListingProps<Row>) {
  const { data: answer, error, refetch, isPlaceholderData } = list
  if (!answer) {
    return error ? (
      <Box p="md">
        <Failed error={error} retry={refetch} />
      </Box>
    ) : (
      <Waiting />
    )
  }
  const { data: rows, pagination, has_more } = answer
  const isNone = pagination ? pagination.total === 0 : page === 1 && rows.length === 0
  if (isNone && empty && !isPlaceholderData) return empty
  return (
    <>
      {rows.length > 0 && <Lines rows={rows} busy={isPlaceholderData} {...table} />}
      {pagination && onPage && <Pager pagination={pagination} onChange={onPage} />}
      {has_more !== undefined && onPage && (
        <NextPager page={page} hasMore={has_more} isEmpty={rows.length === 0} onChange={onPage} />
      )}
    </>
  )
}

function Waiting() {
  return (
    <Stack p="md" gap="sm">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} h={38} />
      ))}
    </Stack>
  )
}

type LinesProps<Row> = Pick<ListingProps<Row>, 'columns' | 'id' | 'minWidth' | 'opens'> & {
  rows: readonly Row[]
  busy?: boolean
}

function Lines<Row>({ rows, columns, id, minWidth, opens, busy }: LinesProps<Row>) {
  return (
    <Rows>
      <Table miw={minWidth} aria-busy={busy}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ head, label, align, narrow }) => (
              <Table.Th key={head ?? label} ta={align} w={narrow ? 1 : undefined} aria-label={label}>
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
  )
}
