/** The numbers that are for sale: so few that buyers want the same. */
export const numbers = ['+14155550100', '+14155550101', '+14155550102', '+14155550103']
