import PouchCoordination
import Testing

/// The article “Write a coordinator”.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct WriteACoordinatorTests {
    private let surface = RecordingSurface()

    @Test func `a book is shown over the shelf, lent, and gone when somebody goes back`() async throws {
        let library = openLibrary(on: surface)
        library.dependency = Library(shelf: Shelf())
        let shelf = try #require(surface.screens.last as? ShelfScreen)
        try await shelf.titleWasPressed("Emma")
        let book = try #require(surface.top.screens.last as? BookScreen)
        #expect(book.title == "Emma")
        await book.lendWasPressed()
        #expect(book.text == "Enjoy it.")
        await book.lendWasPressed()
        #expect(book.text == "Somebody has it.")
        weak var child: Coordinator<Library>?
        child = library.children.last
        #expect(child != nil)
        surface.top.goBack()
        #expect(library.children.isEmpty)
        #expect(child == nil)
        #expect(surface.top.screens.last is ShelfScreen)
    }

    @Test func `a book can be asked for before there is a shelf`() async throws {
        let library = openLibrary(on: surface)
        let shelf = try #require(surface.screens.last as? ShelfScreen)
        try await shelf.titleWasPressed("Emma")
        let book = try #require(surface.top.screens.last as? BookScreen)
        async let pressed: Void = book.lendWasPressed()
        await Task.yield()
        #expect(book.text.isEmpty)
        library.dependency = Library(shelf: Shelf())
        await pressed
        #expect(book.text == "Enjoy it.")
    }
}
