/// Many short lists of numbers in one block of memory.
struct NumberLists: Sendable {
    private var starts = [0]
    private var numbers: [Int] = []

    var count: Int { starts.count - 1 }

    mutating func append(_ list: some Sequence<Int>) {
        numbers.append(contentsOf: list)
        starts.append(numbers.count)
    }

    /// Calls with each number of a list; quicker than handing out slices, each of which would be counted as a reference.
    @inline(__always)
    func forEach(in list: Int, _ body: (Int) -> Void) {
        for place in starts[list]..<starts[list + 1] { body(numbers[place]) }
    }
}
