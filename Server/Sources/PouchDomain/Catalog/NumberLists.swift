/// Many short lists of numbers in one block of memory.
struct NumberLists: Sendable {
    private var starts = [0]
    private var numbers: [Int] = []

    var count: Int { starts.count - 1 }

    mutating func append(_ list: some Sequence<Int>) {
        numbers.append(contentsOf: list)
        starts.append(numbers.count)
    }

    subscript(index: Int) -> ArraySlice<Int> { numbers[starts[index]..<starts[index + 1]] }
}
