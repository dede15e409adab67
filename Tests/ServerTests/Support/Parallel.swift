/// Runs the operation so many times at once.
///
/// - Returns: the results in the order of the operations' numbers, which begin at 0.
func parallel<Value: Sendable>(
    _ count: Int, _ operation: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        for index in 0..<count { group.addTask { (index, try await operation(index)) } }
        var results: [(index: Int, value: Value)] = []
        for try await result in group { results.append(result) }
        return results.sorted { $0.index < $1.index }.map(\.value)
    }
}
