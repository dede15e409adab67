import PouchData
import PouchEntities

/// Whose cart it is.
extension CartManager {
    func begin() async throws(DataError) {
        try await account.sessionOrGuest()
        await settleOwner()
    }

    func note(_ moment: SessionFollowers.Moment) async {
        switch moment {
        case .leaving: if !queue.isEmpty { _ = await work(evenOffline: false) }
        case .changed: await settleOwner()
        }
    }

    /// What counts is who is signed in now, and not in which order the news of it came here.
    func settleOwner() async {
        let session = account.session
        if owner != session?.owner { take(session) }
        await loading?.value
    }

    private func take(_ session: UserSession?) {
        let left = queue
        let wasGuest = isGuest
        owner = session?.owner
        isGuest = session?.kind == .guest
        ownership += 1
        generation += 1
        base = nil
        replay = nil
        retry?.cancel()
        retry = nil
        queue = []
        for entry in left {
            if wasGuest, !isGuest, let owner, entry.key != sending, entry.pending.isUnsentAddition {
                // A guest's additions go over to the account, unless the server may have merged them with the cart.
                var moved = entry
                moved.pending = entry.pending.owned(by: owner)
                queue.append(moved)
            } else if wasGuest {
                // A guest does not come back.
                refuse(entry, DataError(entry.pending.write.firstSentAt == nil ? .sessionEnded : .outcomeUnknown))
            } else {
                // What is in the store waits there for its owner.
                waiting.removeValue(forKey: entry.key)?.resume(returning: .failure(DataError(.sessionEnded)))
            }
        }
        show()
        guard isQueueing, let owner else {
            if !queue.isEmpty { startWork(evenOffline: false) }
            return
        }
        loading = Task { [ownership] in await load(owner, ownership) }
    }

    private func load(_ owner: String, _ asked: Int) async {
        let cart = try? await data.storedCart(of: owner)
        let kept = (try? await data.pendingCartEdits(of: owner)) ?? []
        var entries: [Entry] = []
        for pending in kept {
            entries.append(
                Entry(
                    pending: pending, isKept: true, isShown: true, product: await product(of: pending.edit, in: cart)))
        }
        guard ownership == asked else { return }
        loading = nil
        if base == nil { base = cart }
        queue.insert(contentsOf: entries.filter { entry in !queue.contains { $0.key == entry.key } }, at: 0)
        show()
        if !queue.isEmpty { startWork(evenOffline: false) }
    }
}
