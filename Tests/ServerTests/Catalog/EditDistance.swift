/// The optimal string alignment distance straight from its definition.
enum EditDistance {
    static func between<Letter: Equatable>(_ one: [Letter], _ other: [Letter]) -> Int {
        var table = [[Int]](repeating: [Int](repeating: 0, count: other.count + 1), count: one.count + 1)
        for row in 0...one.count {
            for column in 0...other.count {
                guard row > 0, column > 0 else {
                    table[row][column] = row + column
                    continue
                }
                let replaced = table[row - 1][column - 1] + (one[row - 1] == other[column - 1] ? 0 : 1)
                var best = min(replaced, table[row - 1][column] + 1, table[row][column - 1] + 1)
                if row > 1, column > 1, one[row - 1] == other[column - 2], one[row - 2] == other[column - 1] {
                    best = min(best, table[row - 2][column - 2] + 1)
                }
                table[row][column] = best
            }
        }
        return table[one.count][other.count]
    }
}
