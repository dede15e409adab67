extension DataError {
    init(_ error: StoreError) {
        self.init(error.reason == .listChanged ? .listChanged : .localStore, log: error.description)
    }
}
