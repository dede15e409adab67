/// A link of the chain that messages go up: view, screen, container, coordinator, parent, ... until somebody handles
/// them.
@MainActor
public protocol Responder: AnyObject, Sendable {
    /// Who is asked next; nil at the end of the chain. To be held weakly, since the chain runs from child to parent.
    var coordinatingResponder: (any Responder)? { get }
}

extension Responder {
    /// Gives a message to the nearest responder above this one that handles its family, and returns what it answers.
    ///
    /// A family is a protocol, so that the compiler checks what a message takes and answers:
    /// `try await send(to: (any CartMessages).self) { try await $0.cartAdd(sku: sku) }`. A handler that does its part and
    /// sends the message on reaches the next one above itself.
    ///
    /// Where the handler needs a dependency that is not there yet, the message waits, without keeping the handler alive,
    /// and is given to it anew as soon as it is. So the closure may run again, and does nothing but hand over.
    ///
    /// - Throws: what the handler throws; `UnhandledMessage`; `UndeliveredMessage` where it waited in vain.
    @discardableResult
    public func send<Family, Answer>(
        to family: Family.Type,
        fileID: String = #fileID,
        line: Int = #line,
        _ message: @MainActor (Family) async throws -> Answer
    ) async throws -> Answer {
        try await deliver(to: Found(of: family, from: coordinatingResponder), fileID, line, message)
    }

    /// The same for who stands outside the chain, as a link by which the app was started: this responder itself is asked
    /// first.
    @discardableResult
    public func receive<Family, Answer>(
        as family: Family.Type,
        fileID: String = #fileID,
        line: Int = #line,
        _ message: @MainActor (Family) async throws -> Answer
    ) async throws -> Answer {
        try await deliver(to: Found(of: family, from: self), fileID, line, message)
    }

    private func deliver<Family, Answer>(
        to found: Found<Family>, _ fileID: String, _ line: Int,
        _ message: @MainActor (Family) async throws -> Answer
    ) async throws -> Answer {
        guard found.responder != nil else {
            throw UnhandledMessage(family: found.family, sender: "\(type(of: self))", fileID: fileID, line: line)
        }
        try await (found.responder as? any MessageWaiting)?.waitingMessages.letEarlierPass()
        while true {
            let missing: MissingDependency
            do {
                guard let handler = found.responder as? Family else { throw UndeliveredMessage.stopped }
                return try await message(handler)
            } catch let error as MissingDependency {
                missing = error
            }
            try await missing.comes()
        }
    }
}

/// The nearest who handles a family of messages. Doesn't keep the handler alive while the message waits.
@MainActor
private struct Found<Family> {
    weak var responder: (any Responder)?

    init(of family: Family.Type, from first: (any Responder)?) {
        var responder = first
        while let current = responder, !(current is Family) { responder = current.coordinatingResponder }
        self.responder = responder
    }

    /// The name alone, without `any`.
    var family: String { String("\(Family.self)".split(separator: " ").last ?? "") }
}
